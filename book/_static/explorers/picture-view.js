// The map of all theories: where to train together, to finetune, to stop early, and to train alone. Dials, words and the picture over
// picture-formulas.js.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element } = mtl;
  const { errors, border, region } = mtl.picture;
  const { frame, options, across, down, clipped, dot, write, colour } = mtl.plots;
  const RANGE = { x: [0.03, 60], y: [0.01, 100] };
  const CELLS = 90; // of the picture, along each side
  const REGIONS = {
    keep: { colour: "multi", at: [0.04, 0.03], short: "train together", tone: "helps", say: "Train together, with one shared layer: there is too little data for the rest." },
    compromise: { colour: "noise", at: [2.2, 0.16], short: "stop early", tone: "none", say: "Stop early, or use weight decay: going a part of the way beats both extremes." },
    tune: { colour: "helps", at: [0.04, 12], short: "finetune", tone: "helps", say: "Pretrain on the other task, then finetune all weights." },
    alone: { colour: "single", at: [3.5, 12], short: "train alone", tone: "harms", say: "Train alone: sharing has little to add." },
  };

  const dials = [
    { id: "delta", label: "examples per input", low: RANGE.x[0], high: RANGE.x[1], log: true, start: 3 },
    { id: "rho", label: "unshared signal over noise", low: RANGE.y[0], high: RANGE.y[1], log: true, start: 2.03 },
  ];

  // The example of the page, station by station; a test holds the numbers to the digits.
  const examples = [
    ["odd? alone", { delta: 3, rho: 2.25 }],
    ["beside: at least five?", { delta: 3, rho: 2.03 }],
    ["20 images only", { delta: 0.5, rho: 2.03 }],
    ["beside the same question", { delta: 3, rho: 0.01 }],
    ["1200 images", { delta: 30, rho: 2.03 }],
    ["little noise", { delta: 0.5, rho: 50 }],
  ];

  const answer = ({ delta, rho }) => ({ ...errors(delta, rho), region: region(delta, rho) });
  function* later() {
    yield;
    return null;
  }
  const sentence = (found) => ({ tone: REGIONS[found.region].tone, text: REGIONS[found.region].say });

  const shown = (value) => (value < 1000 ? String(Number(value.toPrecision(3))) : "above 1000");
  function numbers({ left, learned, best }) {
    const rows = [["Unshared signal missed", left], ["Learned to the end", learned], ["Best compromise", best]];
    return [element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, `${shown(value)} × noise`)]))];
  }

  const place = ([low, high], part) => low * (high / low) ** part;

  function paint(plot) {
    const { ctx, bbox } = plot;
    const edge = (start, size) => Array.from({ length: CELLS + 1 }, (_, i) => Math.round(start + (size * i) / CELLS));
    const [xs, ys] = [edge(bbox.left, bbox.width), edge(bbox.top, bbox.height)];
    ctx.globalAlpha = 0.3;
    for (let i = 0; i < CELLS; i += 1) {
      for (let j = 0; j < CELLS; j += 1) {
        ctx.fillStyle = colour(REGIONS[region(place(RANGE.x, (i + 0.5) / CELLS), place(RANGE.y, 1 - (j + 0.5) / CELLS))].colour);
        ctx.fillRect(xs[i], ys[j], xs[i + 1] - xs[i], ys[j + 1] - ys[j]);
      }
    }
    ctx.globalAlpha = 1;
  }

  function line(plot) {
    const { ctx } = plot;
    ctx.strokeStyle = colour("ink");
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.beginPath();
    for (let i = 0; i <= 400; i += 1) {
      const x = place(RANGE.x, i / 400);
      const y = Math.min(border(x), 10 * RANGE.y[1]);
      if (i) ctx.lineTo(across(plot, x), down(plot, y));
      else ctx.moveTo(across(plot, x), down(plot, y));
    }
    ctx.stroke();
  }

  // The grey band is narrow: of its name each word has a line of its own, and stands further right, as the band does.
  function named(plot, { colour: own, at, short }) {
    const words = own === "noise" ? short.split(" ") : [short];
    words.forEach((word, i) => write(plot, word, across(plot, at[0]) + 9 * i * devicePixelRatio, down(plot, at[1]) + 14 * i * devicePixelRatio));
  }

  // `set` takes {point, words}; a click on the map moves the point.
  function regions(spec) {
    return (box, change) => {
      let data = { point: [1, 1] };
      const draw = (plot) => clipped(plot, () => {
        paint(plot);
        line(plot);
        Object.values(REGIONS).forEach((one) => named(plot, one));
      });
      const more = {
        series: [{ show: false }], range: () => RANGE,
        hooks: { drawClear: [draw], draw: [(plot) => dot(plot, ...data.point, colour("ink"), 7)] },
      };
      const { place: canvas, plot } = frame(box, spec, (at) => new window.uPlot(options(at, spec, more), [[0.1, 1], [1, 1]], at));
      plot.over.addEventListener("click", ({ offsetX, offsetY }) => {
        const [delta, rho] = [plot.posToVal(offsetX, "x"), plot.posToVal(offsetY, "y")];
        change({ delta: Number(delta.toPrecision(3)), rho: Number(rho.toPrecision(3)) });
      });
      return {
        set: (next) => {
          data = next;
          canvas.setAttribute("aria-label", next.words);
          plot.redraw(false);
        },
      };
    };
  }

  const plots = [{
    id: "map",
    data: (found, { delta, rho }) => ({
      point: [delta, rho],
      words: `Map over examples per input and unshared signal over noise. The dot is at ${delta} and ${rho}: ${REGIONS[found.region].short}.`,
    }),
    make: regions({
      title: "What to do with a task", x: "examples per input", y: "unshared signal over noise", xLog: true, yLog: true, grid: false,
      key: [["dot", "ink", "your task (click to move it)"], ["line", "ink", "missing and learning it cost the same"]],
    }),
  }];

  mtl.views = mtl.views || {};
  mtl.views.picture = { dials, examples, answer, later, sentence, numbers, plots, small: { dials: ["delta", "rho"], plots: ["map"] } };
})();
