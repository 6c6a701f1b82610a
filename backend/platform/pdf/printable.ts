/** What the embedded font has: Latin-1, typographic marks and a few signs. */
const OUTSIDE =
  /[^\n\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]/gu;

const WITHOUT_ACCENT: Record<string, string> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd' };

/** Text as the embedded font can write it: other letters lose their accents, other signs are left out. */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\t/g, ' ')
    .replace(OUTSIDE, (sign) => WITHOUT_ACCENT[sign] ?? sign.normalize('NFKD').replace(OUTSIDE, ''));
}
