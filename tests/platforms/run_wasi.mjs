// node --no-warnings run_wasi.mjs forearm.wasm ARGUMENT…: the program under node's WASI. The current folder is /, the folder of the
// environment's FOREARM_LIBRARY_DIR is /lib/forearm/binaries with what is beside it.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WASI } from 'node:wasi';

const [, , file, ...words] = process.argv;
const preopens = { '/': process.cwd() };
const env = {};
if (process.env.FOREARM_LIBRARY_DIR) {
  preopens['/lib/forearm'] = dirname(resolve(process.env.FOREARM_LIBRARY_DIR));
  env.FOREARM_LIBRARY_DIR = '/lib/forearm/binaries';
}
const wasi = new WASI({ version: 'preview1', args: ['forearm', ...words], env, preopens, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(file), wasi.getImportObject());
process.exit(wasi.start(instance));
