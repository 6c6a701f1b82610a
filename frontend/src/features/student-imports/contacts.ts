/** The columns for a phone's contacts. */
export const CONTACT_HEADER = ['Nome', 'WhatsApp', 'Telefone', 'E-mail', 'Observações'];

interface Property {
  name: string;
  parameters: string;
  value: string;
}

/** Reads vCards of versions 2.1 to 4.0, as phones export them: one row for each contact. */
export function contactsOf(text: string): string[][] {
  const contacts: string[][] = [];
  let card: Property[] = [];
  for (const line of unfolded(text)) {
    const found = /^(?:[\w-]+\.)?([\w-]+)((?:;[^:]*)?):(.*)$/s.exec(line);
    if (!found) continue;
    const [, name = '', parameters = '', value = ''] = found;
    const property = { name: name.toUpperCase(), parameters: parameters.toUpperCase(), value };
    if (property.name === 'BEGIN') card = [];
    else if (property.name === 'END') contacts.push(rowOf(card));
    else card.push(property);
  }
  return contacts;
}

function rowOf(card: readonly Property[]): string[] {
  const values = (name: string) => card.filter((each) => each.name === name).map(textOf);
  const [last = '', first = ''] = (values('N')[0] ?? '').split(/(?<!\\);/);
  const name = values('FN')[0]?.trim() || `${first} ${last}`;
  const phones = card
    .filter((each) => each.name === 'TEL')
    .toSorted((one, other) => Number(isMobile(other)) - Number(isMobile(one)))
    .map((each) => textOf(each).replace(/^tel:/i, ''));
  return [name, phones[0] ?? '', phones[1] ?? '', values('EMAIL')[0] ?? '', values('NOTE')[0] ?? ''].map(
    (value) => clean(value),
  );
}

const isMobile = ({ parameters }: Property) => /CELL|MOBILE/.test(parameters);

const clean = (value: string) =>
  value
    .replace(/\\n/gi, '\n')
    .replace(/\\([,;\\])/g, '$1')
    .trim();

function textOf({ parameters, value }: Property): string {
  if (!parameters.includes('QUOTED-PRINTABLE')) return value;
  const bytes = value.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const isLatin = /CHARSET=(ISO-8859|WINDOWS)/.test(parameters);
  return new TextDecoder(isLatin ? 'windows-1252' : 'utf-8').decode(
    Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)),
  );
}

/** Joins continued lines: the next line begins with a blank, or a quoted-printable line ends with "=". */
function unfolded(text: string): string[] {
  const lines: string[] = [];
  let goesOn = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const last = lines.length - 1;
    if (goesOn) lines[last] += line;
    else if (/^[ \t]/.test(line) && last >= 0) lines[last] += line.slice(1);
    else lines.push(line);
    const whole = lines.at(-1)!;
    goesOn = whole.endsWith('=') && /^[^:]*QUOTED-PRINTABLE/i.test(whole);
    if (goesOn) lines[lines.length - 1] = whole.slice(0, -1);
  }
  return lines;
}
