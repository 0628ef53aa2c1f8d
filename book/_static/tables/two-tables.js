// Two tables of a reader's own: files are picked, read and computed with in this page, by a worker; nothing is sent anywhere.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element } = mtl;

  const PICKS = [
    ["a", "Target: what to learn", "Its label column"],
    ["b", "Partner: the same columns", "Its label column"],
    ["fresh", "New rows to predict (optional)", null],
  ];
  const SHOWN = 5; // predictions that stand on the page

  // What a worker runs: the model's own functions, as text, since a page from disk may not load a file into it.
  const workerText = (constants) => `"use strict";
    const answer = (${mtl.joint})(${JSON.stringify(constants)}, (${mtl.algebra})());
    onmessage = ({ data: { tasks, fresh } }) => {
      let steps = 0;
      const { predict, ...found } = answer(...tasks, () => postMessage({ part: ++steps / answer.steps }));
      postMessage({ found, said: fresh && predict(fresh) });
    };`;

  // Computes once; `stop` ends what is under way. Both callbacks get what the worker says.
  function computing(constants) {
    let worker = null;
    let address = null;
    const stop = () => {
      if (worker) worker.terminate();
      worker = null;
    };
    const start = (question, watch, done, failed) => {
      stop();
      address = address || URL.createObjectURL(new Blob([workerText(constants)], { type: "text/javascript" }));
      worker = new Worker(address);
      worker.onmessage = ({ data }) => {
        if (data.part !== undefined) watch(data.part);
        else {
          stop();
          done(data);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        stop();
        failed(event.message);
      };
      worker.postMessage(question);
    };
    return { start, stop };
  }

  // A line with an interval, a dot, and what counts as nothing; in words for those who do not see it.
  function interval(name, unit, { low, high, at, from, to, text }) {
    const x = (value) => (100 * (Math.min(to, Math.max(from, value)) - from)) / (to - from);
    const bar = element("span", { class: "mtl-interval", role: "img", "aria-label": `${name}: ${text}` });
    const place = (kind, left, width) => {
      const part = element("span", { class: kind });
      part.style.left = `${left}%`;
      if (width !== undefined) part.style.width = `${width}%`;
      bar.append(part);
    };
    place("mtl-zero", x(0));
    place("mtl-span", x(low), x(high) - x(low));
    place("mtl-dot", x(at));
    return [element("dt", {}, name, element("small", {}, unit)), element("dd", {}, element("strong", {}, text), bar)];
  }

  const signed = (value, digits) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
  const ends = ([low, high], digits) => `${signed(low, digits)} to ${signed(high, digits)}`;

  function intervals(found, told) {
    const { gain } = found;
    const reach = Math.max(0.05, ...told.interval.map(Math.abs));
    return element("dl", { class: "mtl-intervals" },
      ...interval("Expected gain over the target alone", "share of the labels’ variance, plus and minus two standard errors", { low: told.interval[0], high: told.interval[1], at: gain, from: -reach, to: reach, text: `${signed(gain, 3)} (${ends(told.interval, 3)})` }));
  }

  const six = (value) => String(Number(value.toPrecision(6)));
  // A number with as many digits as its standard deviation calls for.
  mtl.digits = function digits(value, deviation) {
    const [size, spread] = [value, deviation].map((one) => Math.floor(Math.log10(Math.abs(one))));
    return String(Number(value.toPrecision(Math.min(6 + (value && deviation ? Math.max(size - spread, 0) : 0), 15))));
  };
  const asField = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  // What the command `predict` writes: each prediction with its standard deviation, or the class with the probabilities.
  function predictions({ means, deviations, chances }, label, classes) {
    if (!chances) return [[label, `${label}_std`], ...Array.from(means, (mean, i) => [mtl.digits(mean, deviations[i]), six(deviations[i])])];
    const header = [label, `${label}_std`, ...classes.map((name) => `p_${name}`)];
    return [header, ...Array.from(chances, (p) => [classes[p > 0.5 ? 1 : 0], six(Math.sqrt(p * (1 - p))), six(1 - p), six(p)])];
  }

  function download(rows, count) {
    const lines = rows.map((fields) => fields.map(asField).join(","));
    const address = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
    const more = count > SHOWN ? [`… ${count - SHOWN} more`] : [];
    return [
      element("p", {}, element("a", { href: address, download: "predictions.csv" }, `Download ${count} predictions (CSV)`)),
      element("pre", { class: "mtl-predicted", tabindex: "0", "aria-label": "First predictions" }, [...lines.slice(0, 1 + SHOWN), ...more].join("\n")),
    ];
  }

  // The form and the place of the answer; `files` are what was picked, `labels` the names of the columns.
  function build(root) {
    const id = (name) => `mtl-tables-${name}`;
    const inputs = {};
    const notes = {};
    const selects = {};
    const picks = PICKS.map(([key, text, labelled]) => {
      inputs[key] = element("input", { type: "file", id: id(key), accept: ".csv,.tsv,.txt", "aria-describedby": id(`${key}-note`) });
      notes[key] = element("span", { class: "mtl-note", id: id(`${key}-note`) }, "no file yet");
      const box = element("div", { class: "mtl-pick", role: "group", "aria-label": text.split(":")[0] }, element("label", { for: id(key) }, text), inputs[key], notes[key]);
      if (labelled) {
        selects[key] = element("select", { id: id(`label-${key}`), disabled: "" });
        box.append(element("label", { for: id(`label-${key}`) }, labelled), selects[key]);
      }
      return box;
    });
    const ask = element("button", { type: "submit" }, "What does the partner bring?");
    const example = element("button", { type: "button" }, "Try the example");
    const form = element("form", { "aria-label": "Your tables" }, ...picks, element("p", { class: "mtl-ask-buttons" }, ask, example));
    const status = element("p", { class: "mtl-status", role: "status" });
    const found = element("div", { class: "mtl-found" });
    root.replaceChildren(form, status, found);
    return { form, inputs, notes, selects, ask, example, status, found };
  }

  function mount(root) {
    const [constants, examples] = [JSON.parse(root.dataset.constants), JSON.parse(root.dataset.examples)];
    const parts = build(root);
    const files = { a: null, b: null, fresh: null };
    const model = computing(constants);

    function say(text, tone) {
      root.dataset.tone = tone;
      parts.status.textContent = text;
    }

    // Only what a user can mend is told; the rest is an error of the page.
    function guarded(act) {
      try {
        return act();
      } catch (error) {
        if (!(error instanceof mtl.TableError)) throw error;
        return say(error.message, "wrong");
      }
    }

    // The columns of both files, to choose the labels from: the same name as before, that of the other file, or the last.
    function offer() {
      ["a", "b"].forEach((key) => {
        const select = parts.selects[key];
        const names = files[key] ? guarded(() => mtl.namesIn(files[key], constants)) || [] : [];
        const before = [select.value, parts.selects.a.value].find((name) => names.includes(name)) || names.at(-1);
        select.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
        select.disabled = !names.length;
        if (names.length) select.value = before;
      });
    }

    function take(key, file, note) {
      model.stop();
      files[key] = file;
      parts.notes[key].textContent = note;
      parts.found.replaceChildren();
      root.dataset.ready = "no";
      say("", "none");
      offer();
    }

    function show({ found, said }, { tasks, left }, label) {
      const told = mtl.told(constants, found, tasks[0].count, tasks[0].columns);
      const [verdict, ...rest] = told.lines;
      const predicted = said ? download(predictions(said, label, tasks[0].classes), (said.means || said.chances).length) : [];
      parts.found.dataset.verdict = told.verdict;
      parts.found.replaceChildren(element("p", { class: "mtl-verdict-said" }, verdict), intervals(found, told), ...rest.map((line) => element("p", { class: "mtl-line" }, line)), ...predicted);
      root.dataset.ready = "yes";
      say(`Computed on this machine, from ${tasks.map(({ count, name }) => `${count} rows of ${name}`).join(" and ")}.${left}`, "done");
    }

    function compute() {
      model.stop();
      parts.found.replaceChildren();
      root.dataset.ready = "no";
      if (!files.a || !files.b) return say("Pick a file of the target and one of the partner, or try the example.", "wrong");
      const labels = { a: parts.selects.a.value, b: parts.selects.b.value };
      const question = guarded(() => mtl.read(files, labels, constants));
      if (!question) return undefined;
      say("Computing …", "busy");
      const watch = (part) => say(`Computing … ${Math.round(100 * part)} %`, "busy");
      return model.start({ tasks: question.tasks, fresh: question.fresh }, watch, (answer) => show(answer, question, labels.a), (message) => say(`This browser could not compute it: ${message}`, "wrong"));
    }

    PICKS.forEach(([key]) => parts.inputs[key].addEventListener("change", async ({ target }) => {
      const [file] = target.files;
      target.value = ""; // the same file, changed meanwhile, may be picked again
      if (!file) return undefined;
      try {
        return take(key, await mtl.textOf(file), file.name);
      } catch (error) {
        take(key, null, "no file yet");
        return guarded(() => { throw error; });
      }
    }));
    parts.example.addEventListener("click", () => {
      Object.entries({ a: examples.a, b: examples.b, fresh: examples.new }).forEach(([key, file]) => {
        parts.inputs[key].value = "";
        take(key, file, `${file.name}, an example`);
      });
      ["a", "b"].forEach((key) => { parts.selects[key].value = examples.label; });
      compute();
    });
    parts.form.addEventListener("submit", (event) => {
      event.preventDefault();
      compute();
    });
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".mtl-two-tables").forEach(mount));
})();
