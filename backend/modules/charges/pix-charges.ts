import type { ArrivedPix } from './pix-provider.js';
import type { Connection } from './provider-connection.js';

/** A new immediate charge (cob) at the provider. */
export interface NewCob {
  /** The trainer's Pix key. */
  chave: string;
  /** Cents. */
  valor: number;
  /** Seconds from its creation until it expires. */
  expiracao: number;
  /** Text that is shown to the payer. */
  solicitacaoPagador: string;
}
export type CobChanges = Pick<NewCob, 'valor' | 'expiracao'>;

/** An immediate charge at the provider. */
export interface Cob {
  /** `ATIVA`, `CONCLUIDA`, or removed by either side. */
  status: string;
  revisao: number;
  chave: string;
  /** Cents. */
  valor: number;
  criacao: Date;
  expira: Date;
  pixCopiaECola: string | null;
  /** Its payments. */
  pix: ArrivedPix[];
}

/** Creates codes for charges. Every method throws `ProviderFailure`. */
export interface PixCharges {
  /** Checks whether the provider accepts the credentials. */
  check(connection: Connection): Promise<void>;
  /** Null if the provider does not know the code. */
  find(connection: Connection, txid: string): Promise<Cob | null>;
  create(connection: Connection, txid: string, cob: NewCob): Promise<Cob>;
  revise(connection: Connection, txid: string, changes: CobChanges): Promise<Cob>;
  remove(connection: Connection, txid: string): Promise<Cob>;
}
