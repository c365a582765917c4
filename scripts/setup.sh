# Sourced by scripts/run and scripts/test: what both do before their work. Everything made here
# lies in build/, except Debian's packages, and what is already there is not made again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1
# The system's Python, not one that somebody's shell puts before it: the pinned wheels fit it.
python=/usr/bin/python3

# What building the program takes.
build_packages=(gcc g++ libc6-dev cmake ninja-build pkg-config python3 python3-dev python3-venv libxml2-dev libyaml-dev libzip-dev libedit-dev zlib1g-dev)

# Says what happens next and, at the end of the script, what it took.
stage_name=
stage_start=0
stages=()
stage() {
  local now=$SECONDS
  [ -z "$stage_name" ] || stages+=("$(printf '%4d s  %s' $((now - stage_start)) "$stage_name")")
  stage_name=${1:-}
  stage_start=$now
  [ -z "$stage_name" ] || printf '\n== %s\n' "$stage_name"
}
times() {
  stage
  printf '\n'
  printf '%s\n' "${stages[@]}" "$(printf '%4d s  in all' "$SECONDS")"
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "That takes root's rights, and there is no sudo: run this script as root." >&2
    return 1
  fi
}

# Debian's packages that are missing.
lists_are_new=
system_packages() {
  command -v apt-get >/dev/null || {
    echo "This is no Debian: the packages $* must be there under this system's own names."
    return
  }
  local package missing=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then
    echo "Debian's packages are there."
    return
  fi
  echo "Installing with apt: ${missing[*]}"
  [ -n "$lists_are_new" ] || as_root apt-get -qq update
  lists_are_new=1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y \
    "${missing[@]}" >build/apt.log 2>&1 || {
    tail -n 20 build/apt.log
    return 1
  }
}

# The packages pinned in a requirements.txt, in the virtual environment build/venv.
python_packages() {
  local stamp
  stamp=build/venv/installed-$(sha256sum "$1" | cut -c 1-16)
  if [ -f "$stamp" ]; then
    echo "Python's packages of $1 are in build/venv."
    return
  fi
  echo "Installing with pip into build/venv: $(sed -n 's/^\([a-z0-9.-]*\)==\([^ ]*\).*/\1 \2/p' "$1" | paste -s -d, | sed 's/,/, /g')"
  [ -x build/venv/bin/python3 ] || "$python" -m venv build/venv
  build/venv/bin/python3 -m pip install -q --only-binary=:all: --require-hashes -r "$1"
  touch "$stamp"
}

# `forearm` and its Python package in build/venv, as the build in build/release makes them; whoever activates that
# environment has them on the PATH. `sweep` is written in Python, all else is the program.
leave_forearm() {
  local site
  site=$(build/venv/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo "$PWD/python" >"$site/forearm.pth"
  cat >build/venv/bin/forearm <<SCRIPT
#!/bin/sh
case "\${1:-}" in
  sweep | gait | help | --help | -h) exec "$PWD/build/venv/bin/python3" -m forearm "\$@" ;;
  *) exec "$PWD/build/release/cli/forearm" "\$@" ;;
esac
SCRIPT
  chmod +x build/venv/bin/forearm
}

# Runs a function beside what follows; `caught_up` waits for it, and shows what it said.
meanwhile() { # NAME FUNCTION
  "$2" >"build/$1.log" 2>&1 &
  beside[$1]=$!
}
declare -A beside=()
caught_up() {
  local name
  for name in "${!beside[@]}"; do
    wait "${beside[$name]}" || {
      cat "build/$name.log"
      echo "That was $name, which went wrong." >&2
      return 1
    }
    cat "build/$name.log"
  done
  beside=()
}

# A number that changes with any file of the project.
sources_digest() {
  find . \( -path ./build -o -path ./results -o -path ./.git -o -name __pycache__ \) -prune -o -type f -print0 | sort -z |
    xargs -0 sha256sum | sha256sum | cut -c 1-32
}

# The URDF files of the wheel pinned in tests/python/robots.txt, in build/robots.
robots() {
  local stamp
  stamp=build/robots/unpacked-$(sha256sum tests/python/robots.txt | cut -c 1-16)
  if [ -f "$stamp" ]; then
    echo "The URDF files of example-robot-data are in build/robots."
    return
  fi
  echo "Downloading the example-robot-data wheel (130 MB), keeping its URDF files"
  rm -rf build/robots
  build/venv/bin/python3 -m pip download -q --no-deps --require-hashes --no-cache-dir \
    -d build/robots -r tests/python/robots.txt
  build/venv/bin/python3 - <<'PYTHON'
import pathlib, zipfile
folder = pathlib.Path("build/robots")
for wheel in folder.glob("*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.lower().endswith((".urdf", "license")):
                target = folder / name.split("robots/", 1)[-1]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
    wheel.unlink()
PYTHON
  touch "$stamp"
}

# VDMCheck2, an outside checker of FMI 2.0 descriptions, in build/vdmcheck. It comes from Maven's
# central repository; where that is out of reach, its tests are skipped and say so.
vdmcheck() {
  local name=vdmcheck2-1.1.3-distribution-static.zip folder=build/vdmcheck
  local sum=cebcce6009afba65e1af5f1f0dcd0bc2039a5f1ceab88ccec9a7ca923c600553
  if [ -f "$folder/fetched-$sum" ]; then
    echo "VDMCheck2 is in $folder."
    return
  fi
  { command -v java && command -v mvn; } >/dev/null || system_packages default-jre-headless maven
  echo "Fetching VDMCheck2 1.1.3 with Maven"
  rm -rf "$folder"
  if ! mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.into-cps.vdmcheck.fmi2:vdmcheck2:1.1.3:zip:distribution-static \
    -DoutputDirectory="$folder" >build/maven.log 2>&1; then
    echo "VDMCheck2 could not be fetched (build/maven.log); its tests will be skipped."
    return
  fi
  echo "$sum  $folder/$name" | sha256sum --check --quiet
  build/venv/bin/python3 -m zipfile -e "$folder/$name" "$folder"
  rm "$folder/$name"
  touch "$folder/fetched-$sum"
}

mkdir -p build
