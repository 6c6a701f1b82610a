import { toAscii } from '../../platform/plain-letters.api.js';

/** The content of a Pix code. */
export interface PixCode {
  /** The key in canonical form. */
  chave: string;
  /** Name and city of the payee. */
  nome: string;
  cidade: string;
  /** Cents; null: the payer chooses. */
  valor: number | null;
  /** 1 to 25 letters and digits; null: none. */
  txid: string | null;
  descricao?: string;
}

/** One field: two digits for its id, two for its length, then the ASCII value. */
function field(id: string, value: string): string {
  if (value.length > 99) throw new Error(`field ${id} of a Pix code is too long`);
  return id + String(value.length).padStart(2, '0') + value;
}

const short = (value: string, length: number) => toAscii(value).slice(0, length).trim();

/** The static BR Code ("copia e cola") of EMV MPM. */
export function brCode({ chave, nome, cidade, valor, txid, descricao }: PixCode): string {
  const account = field('00', 'br.gov.bcb.pix') + field('01', chave);
  const room = 99 - account.length - 4;
  const said = descricao === undefined ? '' : short(descricao, Math.max(room, 0));
  const code =
    field('00', '01') +
    field('26', said === '' ? account : account + field('02', said)) +
    field('52', '0000') +
    field('53', '986') +
    (valor === null ? '' : field('54', (valor / 100).toFixed(2))) +
    field('58', 'BR') +
    field('59', short(nome, 25)) +
    field('60', short(cidade, 15)) +
    field('62', field('05', txid ?? '***')) +
    '6304';
  return code + crc16(code);
}

/** CRC-16/CCITT-FALSE, as four digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
