/** Markup in which values are already escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | null | undefined | false | readonly Html[];

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign]!);

function written(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value ? value.map(({ text }) => text).join('') : '';
}

/** Markup with values: text is escaped, both in elements and in quoted attributes; null and false give an empty string. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((all, part, at) => all + written(values[at - 1]) + part));
}
