import { saidDaysIn } from './said-days.js';

export interface MomentAsked {
  /** Calendar date; null if none is named. */
  dia: string | null;
  /** `07:30` */
  hora: string | null;
}

/** The day and time in an order: "amanha as 7h", "sexta 18:30", "dia 25 as 8". `text`: from `writtenOut`. */
export function momentIn(text: string, today: string): MomentAsked {
  return { dia: dayIn(text, { today, ahead: true }), hora: timeIn(text) };
}

/** The past day in an order: "ontem", "dia 10", "05/11", "na segunda", "há 3 dias"; null if none is named. */
export function pastDayIn(text: string, today: string): string | null {
  return dayIn(text, { today, ahead: false, isOrder: true });
}

/**
 * The day on which a charge is due: "vence dia 10", "pra sexta", "até 5/12"; null if none is named, undefined if one is but
 * cannot be read.
 */
export function dueDayIn(text: string, today: string): string | null | undefined {
  const isNamed = /\bvenc\w+\b/.test(text);
  const isPast = /\bvenc(eu|id[ao])\b/.test(text);
  // "cobrar 200 hoje" says when to charge.
  const said = isNamed ? text : text.replace(/(?<!\b(?:para|ate) )\bhoje\b/g, '');
  return dayIn(said, { today, ahead: !isPast, isOrder: !isNamed }) ?? (isNamed ? undefined : null);
}

function dayIn(text: string, reading: { today: string; ahead: boolean; isOrder?: boolean }): string | null {
  // "até dia 5" is the last of several days.
  const ends = saidDaysIn(
    text.replace(/\bate( [oa])? /g, (said) => ' '.repeat(said.length)),
    reading,
  );
  return ends.find(({ de, ate }) => de === ate)?.de ?? null;
}

function timeIn(text: string): string | null {
  const [, hour, minutes] =
    /\b(\d{1,2})(?::|h)(\d{2})\b/.exec(text) ??
    /\b(\d{1,2})\s*(?:h|hs|horas?)\b/.exec(text) ??
    /\bas\s+(\d{1,2})\b/.exec(text) ??
    [];
  if (hour === undefined) return null;
  const isEvening = /\b(da tarde|da noite)\b/.test(text) && Number(hour) < 12;
  const number = Number(hour) + (isEvening ? 12 : 0);
  if (number > 23 || Number(minutes ?? 0) > 59) return null;
  return `${String(number).padStart(2, '0')}:${minutes ?? '00'}`;
}
