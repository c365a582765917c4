"""Thousands of runs of one FMU, on all cores or on a cluster: `forearm sweep study.toml`.

    study       what a study file says
    design      which values the parameters of each run have
    worker      runs some of them by FMPy, in another process or on another machine
    built_in    the same by the program, many at once
    cluster     the processes that runs are handed to
    store       results as Parquet, complete or not there, so that a killed sweep goes on
    driver      hands runs to workers (Dask) and results to the store
    command     the command line
"""
