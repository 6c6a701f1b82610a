/** A payment reported by a provider. */
export interface ArrivedPix {
  /** Unique for each payment, in all of Pix. */
  endToEndId: string;
  /** The `txid` of the paid code; null if it has none. */
  txid: string | null;
  /** Cents. */
  valor: number;
  /** ISO instant. */
  horario: string;
}

/** A kind of provider: how it signs notices, and their format. */
export interface PixProvider {
  name: string;
  isSigned(bytes: Uint8Array, headers: Readonly<Record<string, unknown>>, secret: string): boolean;
  /** The payments in a validated body. */
  read(body: unknown): ArrivedPix[];
}
