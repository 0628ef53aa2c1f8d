// Pictures of explorers, drawn by uPlot: lines with thresholds and points, and a map of signs over two quantities. Each is
// made once and then given data; colours are those of the page's theme, read anew when it changes.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element, words, plain } = mtl;
  const FONT = "13px system-ui, sans-serif";

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--mtl-${name}`).trim();
  const ink = () => colour("ink");

  // The figure around a drawing: title, drawing with its words, key. `draw` makes the uPlot.
  function frame(box, { title, key = [] }, draw) {
    const place = element("div", { class: "mtl-canvas", role: "img" });
    const entries = key.map(([kind, name, text]) => element("li", {},
      element("span", { class: `mtl-key mtl-key-${kind}`, style: `--mtl-key: var(--mtl-${name})`, "aria-hidden": "true" }), ...words(text)));
    box.append(element("figure", {}, element("figcaption", {}, ...words(title)), place, element("ul", { class: "mtl-keys" }, ...entries)));
    const plot = draw(place);
    new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: place.clientHeight })).observe(place);
    new MutationObserver(() => plot.redraw(false, true)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return { place, plot };
  }

  const axis = ({ grid = true }, label, extra) => ({
    label: plain(label), stroke: ink, font: FONT, labelFont: FONT, labelSize: 20,
    grid: { show: grid, stroke: () => colour("grid"), width: 1 }, ticks: { stroke: () => colour("grid"), width: 1, size: 4 }, ...extra,
  });

  const short = (value) => (value === null ? "" : String(Number(value.toPrecision(3))));
  // Of a logarithmic axis: ticks at 1, 2 and 5 times powers of ten, on a long one at the powers only.
  const few = (_, splits) => {
    const first = splits.at(-1) > 800 * splits[0] ? /^1/ : /^[125]/;
    return splits.map((v) => (first.test(v.toExponential()) ? short(v) : ""));
  };

  function options(place, spec, more) {
    return {
      width: Math.max(place.clientWidth, 200), height: Math.max(place.clientHeight, 100), legend: { show: false }, pxAlign: 0,
      cursor: { drag: { x: false, y: false }, points: { show: false }, x: false, y: false },
      scales: {
        x: { time: false, distr: spec.xLog ? 3 : 1, range: () => more.range().x },
        y: { distr: spec.yLog ? 3 : 1, range: () => more.range().y },
      },
      axes: [
        axis(spec, spec.x, { size: 34, values: spec.xLog ? few : (_, splits) => splits.map(short), ...(spec.xLog && { filter: (_, s) => s }) }),
        axis(spec, spec.y, { size: 52, values: spec.yLog ? few : (_, splits) => splits.map(short), ...(spec.yLog && { filter: (_, s) => s }) }),
      ],
      series: [{}, ...more.series],
      hooks: more.hooks,
    };
  }

  // Where a value lies on the canvas, in its own pixels.
  const across = (plot, value) => plot.valToPos(value, "x", true);
  const down = (plot, value) => plot.valToPos(value, "y", true);

  function dashed(plot, from, to, stroke) {
    const { ctx } = plot;
    ctx.save();
    ctx.strokeStyle = stroke;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(...from);
    ctx.lineTo(...to);
    ctx.stroke();
    ctx.restore();
  }

  function write(plot, text, x, y, align = "left") {
    const { ctx } = plot;
    ctx.save();
    ctx.fillStyle = ink();
    ctx.font = FONT.replace("13px", `${13 * devicePixelRatio}px`);
    ctx.textAlign = align;
    ctx.textBaseline = "bottom";
    ctx.fillText(text, x, y);
    ctx.restore();
  }

  function dot(plot, x, y, fill, radius = 5) {
    const { ctx } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.arc(across(plot, x), down(plot, y), radius * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.fill();
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.strokeStyle = colour("ground");
    ctx.stroke();
    ctx.restore();
  }

  // Marks of a picture: {x, text} a vertical threshold, {y, text, late} a horizontal one with its text at the left or, if late,
  // at the right, {x, y} a point, {x, y, stem} one on a stem.
  function drawMark(plot, mark) {
    const { left, top, width, height } = plot.bbox;
    const stroke = mark.colour ? colour(mark.colour) : ink();
    if (mark.y > plot.scales.y.max) return;
    if (mark.y === undefined) {
      const x = across(plot, mark.x);
      const late = x > left + 0.6 * width;
      dashed(plot, [x, top], [x, top + height], stroke);
      write(plot, mark.text, x + (late ? -4 : 4) * devicePixelRatio, top + 16 * devicePixelRatio, late ? "right" : "left");
    } else if (mark.x === undefined) {
      const y = down(plot, mark.y);
      dashed(plot, [left, y], [left + width, y], stroke);
      const side = mark.late ? left + width - 4 * devicePixelRatio : left + 4 * devicePixelRatio;
      write(plot, mark.text, side, y - 2 * devicePixelRatio, mark.late ? "right" : "left");
    } else {
      if (mark.stem) stemmed(plot, mark, stroke);
      dot(plot, mark.x, mark.y, stroke);
    }
  }

  function stemmed(plot, { x, y }, stroke) {
    const { ctx } = plot;
    ctx.save();
    ctx.strokeStyle = stroke;
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(across(plot, x), down(plot, 0));
    ctx.lineTo(across(plot, x), down(plot, y));
    ctx.stroke();
    ctx.restore();
  }

  function clipped(plot, draw) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    draw();
    ctx.restore();
  }

  // Lines over a common x; `set` takes {x, lines, marks, range: {x, y}, words}.
  function lines(spec) {
    return (box) => {
      const first = spec.xLog ? [0.1, 1] : [0, 1]; // a logarithmic axis has no zero
      let data = { x: first, lines: spec.lines.map(() => [null, null]), marks: [], range: { x: first, y: [0, 1] } };
      // A dashed line shows what lies below it where two curves agree.
      const dash = (name) => (spec.dashed?.includes(name) ? { dash: [9, 7] } : {});
      const series = spec.lines.map((name) => ({ stroke: () => colour(name), width: 2, points: { show: false }, ...dash(name) }));
      const hooks = { draw: [(plot) => data.marks.forEach((mark) => drawMark(plot, mark))] };
      const more = { series, hooks, range: () => data.range };
      const { place, plot } = frame(box, spec, (at) => new window.uPlot(options(at, spec, more), [data.x, ...data.lines], at));
      return {
        set: (next) => {
          if (!next) return;
          data = next;
          place.setAttribute("aria-label", next.words);
          plot.setData([next.x, ...next.lines]);
        },
      };
    };
  }

  mtl.plots = { lines, frame, options, across, down, clipped, dot, write, colour };
})();
