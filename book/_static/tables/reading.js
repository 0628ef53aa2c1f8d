// Text files as tables of numbers; what is wrong is said as the command says it, by file, column and row, with the option
// of the command that would help. Rows are counted from 1, without the header.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});

  const NAMES = { ",": "','", ";": "';'", "\t": "tab", "|": "'|'" };
  const [SHOWN, NAMED] = [8, 12]; // fields of a row, and columns, that a message shows at most
  const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;
  const TRUTHS = { True: 1, TRUE: 1, true: 1, False: 0, FALSE: 0, false: 0 };

  class TableError extends Error {}
  const fail = (text) => { throw new TableError(text); };
  const escaped = (code) => (code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`);
  // As Python shows a text.
  function quoted(text) {
    const lines = text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
    const plain = lines.replace(/[\p{C}\p{Z}]/gu, (sign) => (sign === " " ? sign : escaped(sign.codePointAt(0))));
    return plain.includes("'") && !plain.includes('"') ? `"${plain}"` : `'${plain.replaceAll("'", "\\'")}'`;
  }
  const listed = (names) => names.slice(0, NAMED).map(quoted).join(", ") + (names.length > NAMED ? ` and ${names.length - NAMED} more` : "");
  // An option as a shell takes it.
  const option = (name, value) => `--${name}${value.startsWith("-") ? "=" : " "}${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'"'"'`)}'`}`;
  const command = (asked) => `The command has ${asked}.`;

  // Rows of fields: quotes enclose separators and line ends, two of them are one; empty lines are none.
  function fieldsOf(text, separator) {
    const rows = [];
    let [row, field, within, wasQuoted] = [[], "", false, false];
    const endRow = () => {
      if (row.length || field || wasQuoted) rows.push([...row, field]);
      [row, field, wasQuoted] = [[], "", false];
    };
    for (let i = 0; i < text.length; i += 1) {
      const sign = text[i];
      if (within) {
        if (sign !== '"') field += sign;
        else if (text[i + 1] === '"') { field += sign; i += 1; } else within = false;
      } else if (sign === '"' && !field) [within, wasQuoted] = [true, true];
      else if (sign === separator) [row, field, wasQuoted] = [[...row, field], "", false];
      else if (sign === "\n" || sign === "\r") endRow();
      else field += sign;
    }
    endRow();
    return rows;
  }

  // Where lines have other lengths, or one column holds all: the separator that the header seems to have.
  function separatorHint(header, separator) {
    const most = Object.keys(NAMES).reduce((best, mark) => (header.split(mark).length > header.split(best).length ? mark : best));
    if (!header.includes(most) || most === separator) return "";
    return ` Its columns seem to be separated by ${NAMES[most]}. ${command(`--separator '${most === "\t" ? "tab" : most}'`)}`;
  }

  function lengthRemedy(row, wanted, separator) {
    if (row.length === wanted + 1 && !row.at(-1).trim()) return " It ends in a separator; take it away.";
    if (row.some((field) => field.includes("\n"))) return " It holds a line break: a quotation mark opens there and is not closed.";
    if (!row.join("").trim()) return " It is blank; take it away.";
    if (row.length < wanted) return " Write an empty field for each value that is missing.";
    const named = row.length === wanted + 1 ? " If its first field is the name of the row, the header must have one for it." : "";
    return `${separator === "," ? " A number or a text with a comma in it needs quotes around it." : ` A text with ${NAMES[separator]} in it needs quotes around it.`}${named}`;
  }

  // A file as names and columns of text.
  function columnsOf(name, text, constants) {
    const separator = name.toLowerCase().endsWith(".tsv") ? "\t" : ",";
    const [header = [], ...rows] = fieldsOf(text, separator);
    const hint = () => separatorHint(text.split(/[\r\n]/, 1)[0], separator);
    const twice = header.find((one, place) => one && header.indexOf(one) < place);
    if (twice) fail(`${name} cannot be read: two columns have the name ${quoted(twice)}; rename one.`);
    rows.forEach((row, place) => {
      if (row.length === header.length) return;
      const shown = row.slice(0, SHOWN).join(separator) + (row.length > SHOWN ? `${separator}...` : "");
      const told = `row ${place + 1} has ${row.length} fields, the header ${header.length}: ${quoted(shown.length > 80 ? `${shown.slice(0, 77)}...` : shown)}.`;
      fail(`${name} cannot be read: ${told}${hint() || lengthRemedy(row, header.length, separator)}`);
    });
    if (!rows.length) fail(`${name} has no rows.`);
    const columns = header.map((one, place) => ({ name: one.normalize("NFC").trim(), values: rows.map((row) => row[place]) }));
    return { name, rows: rows.length, columns: columns.filter((column, place) => !isIndex(name, column, place, constants)), hint };
  }

  // A column without a name that is empty or counts the rows is what a program saved besides the data.
  function isIndex(name, column, place, { unnamed }) {
    if (column.name && !new RegExp(`^(${unnamed})$`).test(column.name)) return false;
    const empty = column.values.every((value) => !value.trim());
    const counts = column.values.every((value, i) => /^\d+$/.test(value) && (!i || Number(value) > Number(column.values[i - 1])));
    return empty || counts || fail(`${name}: column ${place + 1} has no name; give it one, or take it out of the file.`);
  }

  function numberOf(text) {
    const plain = text.trim();
    if (NUMBER.test(plain)) return Number(plain);
    return /^[-+]?inf(inity)?$/i.test(plain) ? Infinity : NaN;
  }

  // A column as numbers, or null where it holds texts; values that stand for none are NaN.
  function numbersOf({ values }, missing) {
    const there = values.filter((value) => !missing.has(value.trim()));
    if (there.length && there.length === values.length && there.every((value) => value in TRUTHS)) return values.map((value) => TRUTHS[value]);
    if (there.some((value) => Number.isNaN(numberOf(value)))) return null;
    return values.map((value) => (missing.has(value.trim()) ? NaN : numberOf(value)));
  }

  // Whether all texts are numbers, some of them with this mark between thousands.
  function inThrees(texts, mark, decimal) {
    const escaped = [mark, decimal].map((sign) => (sign === "." ? "\\." : sign));
    const plain = new RegExp(`^[-+]?\\d+(${escaped[1]}\\d*)?$`);
    const grouped = new RegExp(`^[-+]?\\d{1,3}(${escaped[0]}\\d{3})+(${escaped[1]}\\d*)?$`);
    return texts.some((text) => text.includes(mark)) && texts.every((text) => plain.test(text) || grouped.test(text));
  }

  // One sign for apostrophes and spaces that look alike.
  const alike = (text) => text.replaceAll("\u2019", "'").replace(/[\u00a0\u2009\u202f]/g, " ");

  // Where texts of a column are numbers with a decimal comma, or with marks between thousands.
  function decimalHint(values, { thousands }) {
    const texts = values.map((value) => alike(value).trim());
    const decimals = texts.some((text) => text.includes(",")) && texts.every((text) => /^[-+]?\d+(,\d+)?$/.test(text));
    const pairs = [".", ","].flatMap((decimal) => thousands.filter((mark) => mark !== decimal).map((mark) => [decimal, mark]));
    const found = pairs.find(([decimal, mark]) => inThrees(texts, mark, decimal));
    if (found) {
      const [decimal, mark] = found;
      const option = `${decimal === "," ? "--decimal ',' " : ""}--thousands ${quoted(mark)}`;
      return ` Digits in threes are thousands: the command has ${option}${decimals ? ", and --decimal ',' if it is the decimal mark" : ""}.`;
    }
    const marked = texts.find((text) => text.includes(","));
    return decimals || /^[-+]?\d+,\d{1,2}$/.test(marked || "") ? ` ${command("--decimal ','")}` : "";
  }

  // Where all texts would be numbers but for one sign in some of them, such as that of percent.
  function signHint(values) {
    const signs = [..."%\u2030$\u20ac\u00a3\u00a5\u2212"].filter((sign) => values.some((value) => value.includes(sign)));
    const plain = (value) => /^[-+]?\d[\d.,' ]*$/.test(alike(value).replaceAll(signs[0], "").trim());
    if (signs.length !== 1 || !values.every(plain)) return "";
    return signs[0] === "\u2212" ? " Write '-' for the minus of print." : ` Take ${quoted(signs[0])} out of the numbers.`;
  }

  // What is wrong with a column of inputs, or nothing; `encoded` says that the command makes numbers of it.
  function problem({ name, values, numbers }, constants, missing) {
    const called = `column ${quoted(name)}`;
    const lost = values.map((value, i) => (missing.has(value.trim()) ? i : -1)).filter((i) => i >= 0);
    if (lost.length) return { told: `${called}: missing ${lost.length} of ${values.length} values, the first in row ${lost[0] + 1}`, encoded: true };
    if (numbers) {
      const wrong = tooLarge(numbers, constants);
      return wrong && { told: `${called}: ${wrong}`, encoded: false };
    }
    const text = values.findIndex((value) => Number.isNaN(numberOf(value)));
    const hint = decimalHint(values, constants) || signHint(values);
    return { told: `${called}: ${quoted(values[text])} in row ${text + 1} is no number.${hint}`.replace(/\.$/, ""), encoded: !hint };
  }

  function tooLarge(numbers, { largest }) {
    const place = numbers.findIndex((number) => !(Math.abs(number) <= largest));
    if (place < 0) return "";
    return `row ${place + 1} ${Number.isFinite(numbers[place]) ? `is too large to compute with (${numbers[place]})` : "is not finite"}`;
  }

  // Inputs as columns of numbers; of what is wrong all columns are named at once.
  function inputsOf(name, columns, constants, missing) {
    const found = columns.map((column) => ({ ...column, numbers: numbersOf(column, missing) }));
    const wrong = found.map((column) => problem(column, constants, missing)).filter(Boolean);
    if (wrong.length) {
      const rest = wrong.length > NAMED ? `; and ${wrong.length - NAMED} more columns` : "";
      const encode = wrong.some(({ encoded }) => encoded) ? " The command makes numbers of texts, and fills in what is missing." : "";
      fail(`${name}, ${wrong.slice(0, NAMED).map(({ told }) => told).join("; ")}${rest}.${encode} ${command("--drop, which leaves a column out")}`);
    }
    return found;
  }

  // Labels as numbers; two names become 0 and 1 in their order, and `classes` has them.
  function labelsOf(name, column, constants, missing) {
    const called = `${name}, column ${quoted(column.name)}:`;
    const lost = column.values.findIndex((value) => missing.has(value.trim()));
    const lacking = column.values.filter((value) => missing.has(value.trim())).length;
    if (lacking) fail(`${called} missing ${lacking} of ${column.values.length} values, the first in row ${lost + 1}. Fill them in, or leave these rows out of the file.`);
    const numbers = numbersOf(column, missing);
    const named = !numbers || column.values.every((value) => value in TRUTHS);
    if (!named) {
      const wrong = tooLarge(numbers, constants);
      if (wrong) fail(`${called} ${wrong}. Correct it, or choose other units.`);
      if (!mtl.algebra().varies(numbers)) fail(`${called} all labels are ${numbers[0]}; a target must vary.`);
      return { numbers, classes: null };
    }
    const texts = numbers ? numbers.map((number) => (number ? "True" : "False")) : column.values;
    const classes = [...new Set(texts)].sort((one, other) => (one < other ? -1 : 1));
    if (classes.length === 1) fail(`${called} all labels are ${quoted(classes[0])}; a target must vary. Leave out this file.`);
    if (classes.length > 2) {
      const place = texts.findIndex((text) => Number.isNaN(numberOf(text)));
      fail(`${called} ${classes.length} different texts, the first ${quoted(texts[place])} in row ${place + 1}, are neither numbers nor two classes.${decimalHint(texts, constants)} Make them numbers; or let the command take one class against the rest: ${option("positive", texts[place])}.`);
    }
    return { numbers: texts.map((text) => classes.indexOf(text)), classes };
  }

  function matrixOf(columns, rows) {
    const data = new Float64Array(rows * columns.length);
    columns.forEach(({ numbers }, j) => numbers.forEach((number, i) => { data[i * columns.length + j] = number; }));
    return { rows, cols: columns.length, data };
  }

  function bounded(name, rows, columns, constants) {
    const told = [[rows, constants.mostRows, "rows"], [columns, constants.mostColumns, "inputs"]].find(([found, most]) => found > most);
    if (told) fail(`${name} has ${told[0]} ${told[2]}; this page computes with at most ${told[1]}. The command takes more.`);
  }

  // A file with labels: { name, names, rows, numbers, classes }.
  function taskOf(file, label, constants) {
    const missing = new Set(constants.noValues);
    const { name, rows, columns, hint } = columnsOf(file.name, file.text, constants);
    const own = columns.find((column) => column.name === label);
    if (!own) fail(`${name} has no column ${quoted(label)}; it has ${listed(columns.map((column) => column.name))}.${columns.length === 1 ? hint() : ""}`);
    if (columns.length === 1) fail(`${name} has no column besides the target ${quoted(label)}; it must have inputs too.`);
    if (rows < constants.fewestRows) fail(`${name} has ${rows} rows; at least ${constants.fewestRows} are needed.`);
    bounded(name, rows, columns.length - 1, constants);
    const inputs = inputsOf(name, columns.filter((column) => column !== own), constants, missing);
    return { name, inputs, count: rows, ...labelsOf(name, own, constants, missing) };
  }

  // The columns of another file in the order of the target's; what else it has counts only where it has labels.
  function ordered(target, name, inputs, alsoMore) {
    const [mine, theirs] = [target.inputs, inputs].map((columns) => columns.map((column) => column.name));
    const [lacks, more] = [mine.filter((one) => !theirs.includes(one)), alsoMore ? theirs.filter((one) => !mine.includes(one)) : []];
    if (lacks.length || more.length) {
      const parts = [lacks.length ? ` It lacks ${listed(lacks)}.` : "", more.length ? ` It has ${listed(more)} besides.` : ""];
      fail(`${name} and ${target.name} must have the same columns.${parts.join("")} The command does without what one of them lacks.`);
    }
    return mine.map((one) => inputs.find((column) => column.name === one));
  }

  // Whether a column has numbers of identity: called so, whole, and another one in each row.
  const identifies = ({ name, numbers }, { identity }) => new RegExp(identity).test(name) && numbers.every(Number.isInteger) && new Set(numbers).size === numbers.length;

  // Rows with the same inputs in both tables, and whole rows twice in one.
  function checkRepeats(a, b) {
    const key = ({ rows: { cols, data } }, i) => Array.from(data.subarray(i * cols, (i + 1) * cols), (value) => value + 0).join(",");
    const found = [];
    const [keysA, keysB] = [a, b].map((task) => Array.from({ length: task.count }, (_, i) => key(task, i)));
    const counted = (n) => (n === 1 ? "1 row" : `${n} rows`);
    const inA = new Map(keysA.map((one, i) => [one, i + 1]).reverse());
    const shared = keysB.map((one, i) => [i + 1, inA.get(one)]).filter(([, row]) => row);
    if (shared.length) found.push(`the inputs of ${counted(shared.length)} of ${b.name} stand in ${a.name} too, such as row ${shared[0][0]} of ${b.name}, row ${shared[0][1]} of ${a.name}`);
    [[a, keysA], [b, keysB]].forEach(([task, keys]) => {
      const before = new Map();
      const twice = keys.map((one, i) => {
        const whole = `${one};${task.numbers[i]}`;
        const earlier = before.get(whole);
        before.set(whole, i + 1);
        return [i + 1, earlier];
      }).filter(([, earlier]) => earlier);
      if (twice.length) found.push(`${counted(twice.length)} of ${task.name} stood there before, label and all, such as ${twice[0][1]} and ${twice[0][0]}`);
    });
    if (found.length) fail(`${found.join("; ")}. The command has --same-rows, if row i of both files is one example, and --repeats drop or keep.`);
  }

  // Two tasks, { name, rows, columns, numbers, classes, count }, and a table of new rows or null. Files are { name, text }.
  mtl.read = function read(files, labels, constants) {
    const [a, b] = [taskOf(files.a, labels.a, constants), taskOf(files.b, labels.b, constants)];
    b.inputs = ordered(a, b.name, b.inputs, true);
    const names = a.inputs.filter((column, j) => identifies(column, constants) && identifies(b.inputs[j], constants)).map((column) => column.name);
    [a, b].forEach((task) => { task.inputs = task.inputs.filter((column) => !names.includes(column.name)); });
    const left = names.length ? ` Left out: ${listed(names)}, another number in each row.` : "";
    const made = (task, columns) => ({ name: task.name, count: task.count, numbers: task.numbers, classes: task.classes, columns: columns.map((one) => one.name), rows: matrixOf(columns, task.count) });
    const tasks = [made(a, a.inputs), made(b, b.inputs)];
    const { column, varies } = mtl.algebra();
    tasks.forEach(({ name, rows }) => {
      if (![...Array(rows.cols).keys()].some((j) => varies(column(rows, j)))) fail(`${name} has no column that varies; all its inputs are constant.`);
    });
    checkRepeats(...tasks);
    if (!files.fresh) return { tasks, fresh: null, left };
    const { name, rows, columns } = columnsOf(files.fresh.name, files.fresh.text, constants);
    bounded(name, rows, 0, constants);
    const wanted = ordered(a, name, columns, false);
    return { tasks, fresh: matrixOf(inputsOf(name, wanted, constants, new Set(constants.noValues)), rows), left };
  };

  // The names of a file's columns, for a reader to choose among.
  mtl.namesIn = ({ name, text }, constants) => columnsOf(name, text, constants).columns.map((column) => column.name);

  // A file that was picked, as text.
  mtl.textOf = async function textOf(file) {
    if (!/\.(csv|tsv|txt)$/i.test(file.name)) fail(`${file.name} must end in .csv, .tsv or .txt here. The command reads .gz and .parquet, too.`);
    try {
      return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return fail(`${file.name} cannot be read: it is no UTF-8 text. Save it as UTF-8.`);
    }
  };
  mtl.TableError = TableError;
})();
