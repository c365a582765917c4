// A command line around the simulators of fmi-rs: runs one FMU and writes a table of its outputs.
//
//     fmi-rs-host FMU cs|me STOP STEP OUT.csv [option]...
//
//     set=NAME=VALUE    a start value; of an array, its elements with spaces between them
//     input=FILE.csv    inputs over time
//     state-in=FILE, state-out=FILE    FMU states as bytes, at the beginning and the end
//     start=TIME        where a state that is read goes on
//     open              no stop time is declared
//     events, early, intermediate      what FMI 3.0's Co-Simulation can be asked for
//
// Model Exchange is integrated by Euler's method, a thousand steps for each STEP.
use fmi_rs::fmi3::LibraryKind;
use fmi_rs::model_description::{FMIMajorVersion, fmi2, fmi3, peek_fmi_major_version};
use fmi_rs::sim;
use fmi_rs::sim::solver::ForwardEulerFactory;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Wish {
    exchange: bool,
    start: f64,
    stop: f64,
    declares_stop: bool,
    step: f64,
    values: Vec<(String, String)>,
    input: Option<PathBuf>,
    state_in: Option<PathBuf>,
    state_out: Option<PathBuf>,
    events: bool,
    early: bool,
    intermediate: bool,
}

type Outcome = Result<(), Box<dyn Error>>;

fn read_wish(words: &[String]) -> Result<Wish, Box<dyn Error>> {
    let mut wish = Wish {
        exchange: words[1] == "me",
        start: 0.0,
        stop: words[2].parse()?,
        declares_stop: true,
        step: words[3].parse()?,
        values: vec![],
        input: None,
        state_in: None,
        state_out: None,
        events: false,
        early: false,
        intermediate: false,
    };
    for word in &words[5..] {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        match name {
            "set" => {
                let (name, value) = value.split_once('=').ok_or("set=NAME=VALUE")?;
                wish.values.push((name.to_string(), value.to_string()));
            }
            "start" => wish.start = value.parse()?,
            "input" => wish.input = Some(value.into()),
            "state-in" => wish.state_in = Some(value.into()),
            "state-out" => wish.state_out = Some(value.into()),
            "open" => wish.declares_stop = false,
            "events" => wish.events = true,
            "early" => wish.early = true,
            "intermediate" => wish.intermediate = true,
            _ => return Err(format!("unknown option {word}").into()),
        }
    }
    Ok(wish)
}

fn euler(wish: &Wish) -> ForwardEulerFactory {
    ForwardEulerFactory {
        fixed_step_size: wish.step / 1000.0,
    }
}

fn complain<T: std::fmt::Debug>(faults: Vec<T>) -> Outcome {
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!("the description has faults: {faults:?}").into())
}

fn run_fmi2(folder: &Path, wish: Wish, out: &str) -> Outcome {
    use sim::fmi2::{SimulationSettings, Trajectories, cs, csv, input, me, recorder};
    let page = fmi2::ModelDescription::from_path(&folder.join("modelDescription.xml"))?;
    complain(page.validate())?;
    let page = Arc::new(page);
    let outputs = page.modelVariables.iter().enumerate();
    let outputs = outputs.filter(|(_, v)| v.causality == fmi2::Causality::Output);
    let outputs: Vec<usize> = outputs.map(|(i, _)| i).collect();
    let recorder = Arc::new(recorder::Recorder::new(Trajectories::new(page.clone(), outputs)));
    let input = match &wish.input {
        Some(path) => Some(Arc::new(input::StaticInput::new(
            csv::read_csv(std::fs::File::open(path)?, page.clone())?,
            1e-9,
        ))),
        None => None,
    };
    let solver = euler(&wish);
    let settings = SimulationSettings {
        unzipdir: folder.to_path_buf(),
        model_description: page,
        start_time: wish.start,
        stop_time: wish.stop,
        logging_on: true,
        set_stop_time: wish.declares_stop,
        output_interval: wish.step,
        log_time_scale: false,
        tolerance: 1e-8,
        set_tolerance: true,
        start_values: wish.values,
        log_fmi_calls: false,
        input_file: wish.input,
        early_return_allowed: false,
        event_mode_used: false,
        log_file: None,
        initial_fmu_state_file: wish.state_in,
        final_fmu_state_file: wish.state_out,
    };
    if wish.exchange {
        me::simulate(&settings, &solver, input, recorder.clone())?;
    } else {
        cs::simulate(&settings, input, recorder.clone())?;
    }
    Ok(csv::write_csv(&recorder.trajectories.borrow(), out)?)
}

fn run_fmi3(folder: &Path, wish: Wish, out: &str) -> Outcome {
    use sim::fmi3::{SimulationSettings, Trajectories, cs, csv, input, me, recorder};
    let page = fmi3::ModelDescription::from_path(&folder.join("modelDescription.xml"))?;
    complain(page.validate())?;
    let page = Arc::new(page);
    let outputs = page.modelVariables.iter().enumerate();
    let outputs = outputs.filter(|(_, v)| v.causality == fmi3::Causality::Output);
    let outputs: Vec<usize> = outputs.map(|(i, _)| i).collect();
    let recorder = Arc::new(recorder::Recorder::new(Trajectories::new(page.clone(), outputs)));
    let input = match &wish.input {
        Some(path) => Some(Arc::new(input::StaticInput::new(
            csv::read_csv(std::fs::File::open(path)?, page.clone())?,
            1e-9,
        ))),
        None => None,
    };
    let solver = euler(&wish);
    let settings = SimulationSettings {
        unzipdir: folder.to_path_buf(),
        model_description: page,
        library_kind: LibraryKind::Native,
        enable_dae: false,
        start_time: wish.start,
        stop_time: wish.stop,
        visible: false,
        logging_on: true,
        set_stop_time: wish.declares_stop,
        output_interval: wish.step,
        log_time_scale: false,
        tolerance: 1e-8,
        set_tolerance: true,
        start_values: wish.values,
        log_fmi_calls: false,
        intermediate_update: wish.intermediate,
        input_file: wish.input,
        early_return_allowed: wish.early,
        event_mode_used: wish.events,
        log_file: None,
        initial_fmu_state_file: wish.state_in,
        final_fmu_state_file: wish.state_out,
    };
    if wish.exchange {
        me::simulate(&settings, &solver, input, recorder.clone())?;
    } else {
        cs::simulate(&settings, input, recorder.clone())?;
    }
    Ok(csv::write_csv(&recorder.trajectories.borrow(), out)?)
}

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.len() < 5 {
        return Err("fmi-rs-host FMU cs|me STOP STEP OUT.csv [option]...".into());
    }
    let wish = read_wish(&words)?;
    let out = &words[4];
    let folder = PathBuf::from(format!("{out}.unpacked"));
    fmi_rs::zip::extract_zip_archive(&words[0], &folder)?;
    match peek_fmi_major_version(&folder.join("modelDescription.xml"))? {
        FMIMajorVersion::V2 => run_fmi2(&folder, wish, out),
        FMIMajorVersion::V3 => run_fmi3(&folder, wish, out),
    }
}
