import type { ArrivedPix } from '../charges/pix-provider.js';
import type { Connection } from './provider-connection.js';

/** What is asked for with a code. */
export interface NewCob {
  /** The trainer's Pix key. */
  chave: string;
  /** Cents. */
  valor: number;
  /** Seconds from its creation. */
  expiracao: number;
  /** Shown to whoever pays. */
  solicitacaoPagador: string;
}
export type CobChanges = Pick<NewCob, 'valor' | 'expiracao'>;

/** An immediate charge as a provider has it. */
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
  /** What it was paid with. */
  pix: ArrivedPix[];
}

/** What makes codes for charges. Every method throws `ProviderFailure`. */
export interface PixCharges {
  /** Whether we are let in. */
  check(connection: Connection): Promise<void>;
  /** Null for one that it does not know. */
  find(connection: Connection, txid: string): Promise<Cob | null>;
  create(connection: Connection, txid: string, cob: NewCob): Promise<Cob>;
  revise(connection: Connection, txid: string, changes: CobChanges): Promise<Cob>;
  remove(connection: Connection, txid: string): Promise<Cob>;
}
