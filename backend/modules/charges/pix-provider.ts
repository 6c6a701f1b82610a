/** Money that a provider says has arrived. */
export interface ArrivedPix {
  /** Unique for each payment, in all of Pix. */
  endToEndId: string;
  /** What the code that was paid names; null where it names nothing. */
  txid: string | null;
  /** Cents. */
  valor: number;
  /** ISO instant. */
  horario: string;
}

/** What tells us of payments: how it signs, and how it says them. */
export interface PixProvider {
  name: string;
  /** Whether the bytes were signed with the secret. */
  isSigned(bytes: Uint8Array, headers: Readonly<Record<string, unknown>>, secret: string): boolean;
  /** The payments in a body that was read and validated. */
  read(body: unknown): ArrivedPix[];
}
