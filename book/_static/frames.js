// Figures with a slider or a list: shows the frame that the reader chooses. The page itself shows the first.
(() => {
  "use strict";

  // A number as it is written at a slider or by a reader: 0.3, 0,3, 10⁻⁵, 2·10⁻⁵, 2e-5.
  const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  function read(text) {
    const plain = text.trim().replace(",", ".").replace(/[−–]/g, "-");
    const [, factor = "1", power] = plain.match(/^(?:([\d.-]+)·)?10([⁻⁰¹²³⁴-⁹]+)$/) || [];
    if (!power) return plain ? Number(plain) : NaN;
    return Number(`${factor}e${[...power].map((sign) => (sign === "⁻" ? "-" : RAISED.indexOf(sign))).join("")}`);
  }

  // Where a value lies among others: the nearest, by factors where all are positive.
  function nearest(values, wanted) {
    const scale = Math.min(wanted, ...values) > 0 ? Math.log : Number;
    const away = values.map((value) => Math.abs(scale(value) - scale(wanted)));
    return away.indexOf(Math.min(...away));
  }

  // A field for another value beside a slider: pictures were drawn beforehand, so the nearest one is shown, and said.
  function ask(control, names, readout, show) {
    const values = names.map(read);
    if (values.some(Number.isNaN)) return;
    const field = document.createElement("input");
    const label = `${control.labels[0].textContent}: a value`;
    Object.entries({ type: "text", inputmode: "decimal", class: "mtl-frames-other", placeholder: "value", "aria-label": label, autocomplete: "off" })
      .forEach(([name, value]) => field.setAttribute(name, value));
    field.addEventListener("change", () => {
      const wanted = read(field.value);
      if (Number.isNaN(wanted)) return;
      const place = nearest(values, wanted);
      control.value = place;
      show();
      if (values[place] !== wanted) readout.textContent = `${names[place]} is the nearest drawn`;
    });
    readout.after(field);
  }

  function follow(figure) {
    const control = figure.querySelector("input, select");
    const frames = figure.querySelectorAll(":scope > .mtl-frame");
    const readout = figure.querySelector("output");
    const names = control.dataset.names ? JSON.parse(control.dataset.names) : [];
    const show = () => {
      const chosen = control.localName === "select" ? control.selectedIndex : Number(control.value);
      frames.forEach((frame, index) => { frame.hidden = index !== chosen; });
      if (!readout) return;
      readout.textContent = names[chosen];
      control.setAttribute("aria-valuetext", names[chosen]);
    };
    control.addEventListener("input", show);
    control.addEventListener("change", show); // a list that is changed by a script or a screen reader
    if (readout) ask(control, names, readout, show);
  }

  document.querySelectorAll(".mtl-frames").forEach(follow);
})();
