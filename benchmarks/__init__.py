"""The performance figures: each module bench_*.py times something of ours against a baseline, in the same run."""
