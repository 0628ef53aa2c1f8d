// What is said of an answer: the rule and the sentences of mtlbook_lib.forecast.policy, with its thresholds and words in `constants`.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});

  // Fills {name}, {name:.3f} and {name:+.3f} as Python does.
  function filled(template, values) {
    return template.replace(/\{(\w+)(?::(\+?)\.(\d)f)?\}/g, (_, name, plus, digits) => {
      if (digits === undefined) return String(values[name]);
      const text = values[name].toFixed(Number(digits));
      return plus && !text.startsWith("-") ? `+${text}` : text;
    });
  }

  function verdictOf({ policy }, { gain, error, nats }, rows) {
    const [helps, little, noGain, unclear] = policy.verdicts;
    if (rows < policy.fewestRows) return unclear;
    if (gain > policy.leastGain && nats > policy.leastNats) return helps;
    if (gain + policy.errors * error < policy.leastGain) return noGain;
    return Math.max(policy.errors * error - gain, 0) <= policy.small ? little : unclear;
  }

  function adviceOf({ policy }, verdict, { gain, error, nats }) {
    const [helps, little, noGain] = policy.verdicts;
    const [least, above] = [gain - policy.errors * error, gain + policy.errors * error];
    const cost = Math.max(-least, 0);
    const said = { [helps]: cost ? "gain" : "sure gain", [noGain]: cost > policy.small ? "loss" : "neither", [little]: "little" };
    const unclear = nats > policy.leastNats ? "related" : "unclear";
    return filled(policy.advice[said[verdict] || unclear], { cost, least, most: Math.max(above, 0) });
  }

  // A sentence for each kind of columns that are unlike.
  function remarks({ unlike: { unit, levels, named } }, found, columns) {
    const listed = (places) => {
      const names = places.slice(0, named).map((place) => columns[place]).join(", ");
      return places.length > named ? `${names} and ${places.length - named} more` : names;
    };
    const kinds = [[unit, found.unit], [levels, found.levels]].filter(([, places]) => places.length);
    return kinds.map(([words, places]) => filled(words, { columns: listed(places), a: "A", b: "B" }));
  }

  // All that an answer says: its verdict, its interval, and the lines that Python prints.
  mtl.told = function told(constants, found, rows, columns) {
    const { gain, error, chance, alone, together, nats, relation, baselines, ahead } = found;
    const verdict = verdictOf(constants, found, rows);
    const [low, high] = [gain - constants.policy.errors * error, Math.min(gain + constants.policy.errors * error, alone)];
    const named = constants.baselines.map((name, k) => filled(constants.baseline, { name, loss: baselines[k][0], gain: baselines[k][1], error: baselines[k][2] }));
    const advice = adviceOf(constants, verdict, found);
    const four = (value) => String(Number(value.toPrecision(4)));
    const [before, after] = found.losses.map(four);
    const worth = filled(constants.worth[found.worth < 1.5 ? 1 : 0], { rows: found.worth });
    const behind = ahead[1] > Math.max(constants.policy.errors * ahead[2], constants.policy.leastGain) ? [filled(constants.behind, { name: constants.baselines[ahead[0]], ahead: ahead[1], error: ahead[2] })] : [];
    const values = { chance, measure: found.measure, before, after, worth, verdict: verdict[0].toUpperCase() + verdict.slice(1), advice, gain, low, high, alone, together, mean: relation.mean, nats, baselines: named.join("; ") };
    return { verdict, interval: [low, high], lines: [...[...constants.lines, constants.lineOfBaselines].map((line) => filled(line, values)), ...remarks(constants, found.unlike, columns), ...behind] };
  };
})();
