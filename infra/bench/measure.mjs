import { setTimeout as delay } from 'node:timers/promises';

/** Duration of the requests before a measurement: the first ones are slower, until code is compiled and caches are filled. */
export const WARM_SECONDS = 20;

/**
 * Runs every subject once per round, one after another; each round begins with the next subject. So a temporary disturbance
 * of the machine affects all subjects. Returns the results by name, in the order of the rounds.
 */
export async function interleave(subjects, rounds) {
  const names = Object.keys(subjects);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      results[name].push(await subjects[name](round));
    }
  }
  return results;
}

/** Begins `work` `rate` times a second, even if earlier calls are not done. Returns the results of all calls. */
export async function atRate(rate, seconds, work) {
  const started = performance.now();
  const running = [];
  while (running.length < rate * seconds) {
    const due = Math.min(rate * seconds, Math.ceil(((performance.now() - started) / 1000) * rate));
    while (running.length < due) running.push(work());
    await delay(1);
  }
  return Promise.all(running);
}

/** How often `callers` concurrent loops complete `work` per second. */
export async function perSecond(callers, seconds, work) {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done * 1000) / (performance.now() - started);
}

/** `{ median, min, max }` of some numbers. */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: percentile(sorted, 0.5), min: sorted[0], max: sorted.at(-1) };
}

/** Percentile of numbers in ascending order, with linear interpolation. */
function percentile(sorted, share) {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at - Math.floor(at));
}

/** `{ p50, p99 }` of durations in any order. */
export function percentiles(durations) {
  const sorted = durations.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

/**
 * One line of a figure: the measured values, those of the baseline (anchor), and their ratio in each round.
 * `measured` and `anchored` hold one number for each round.
 */
export function line(what, unit, measured, anchor, anchored) {
  return {
    what,
    unit,
    measured: spread(measured),
    ...(anchor && {
      anchor: { what: anchor, ...spread(anchored) },
      ratio: spread(measured.map((value, round) => value / anchored[round])),
    }),
  };
}

/** A line that may measure at most so much, as a median: a run that measures more fails. */
export const atMost = (most, measured) => ({ ...measured, most });

/** The lines of a record that measured more than they may, in words. */
export const tooMuchOf = ({ figures }) =>
  Object.values(figures).flatMap(({ title, lines }) =>
    lines
      .filter(({ measured, most }) => most !== undefined && measured.median > most)
      .map(
        ({ what, unit, measured, most }) =>
          `${title}: ${what}, ${inWords(measured, unit)}, no máximo ${number(most)} ${unit}.`,
      ),
  );

/** A figure's lines as a table. */
export function table({ title, lines, remarks = [] }) {
  const rows = [
    ['', 'medido', 'limite', 'âncora', 'razão'],
    ...lines.map(({ what, unit, measured, most, anchor, ratio }) => [
      what,
      inWords(measured, unit),
      most === undefined ? '' : `${number(most)} ${unit}`,
      anchor ? `${inWords(anchor, unit)} · ${anchor.what}` : '',
      ratio ? inWords(ratio) : '',
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const text = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  return ['', title, ...text, ...remarks].join('\n');
}

function inWords({ median, min, max }, unit = '') {
  return `${number(median)} ${unit} (${number(min)}–${number(max)})`.replace('  ', ' ');
}

function number(value) {
  return value.toLocaleString('pt-BR', {
    maximumFractionDigits: value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0,
  });
}
