import type { CompiledQuery } from 'kysely';

/** Something that says why it is as it is, such as `charge` with its id. */
export interface Thing {
  kind: string;
  id: string;
  /** Only what stands before this position of the log counts: of a contract, what was signed by then. */
  before?: number;
  /** Of a contract, what its clause is about. */
  about?: 'cancelamento' | 'pagamento';
  /** Of a contract, the name of the location whose rule its clause is about. */
  place?: string;
}

/** Who asks why, and when. */
export interface Asker {
  /** The student, in whose words it is said and who is told of nothing but their own. */
  isOwn: boolean;
  /** Nobody is signed in: the link to the student's area may have been forwarded. */
  byLink: boolean;
  timezone: string;
  /** In the zone. */
  today: string;
  now: Date;
}

/** One link of a chain. */
export interface WhyLink {
  /** "Cobrança" */
  titulo: string;
  texto: string;
  /** The words of a contract. */
  clausula?: string;
  /** Position of the event, which says who did it, when, and on which device; null for what follows from a rule or from the day. */
  posicao: number | null;
  /** What the link is about, if it is another thing. */
  of?: Thing;
  /** The page that shows it. */
  para?: string;
}

/** An event in the history of the thing, in its newest shape. */
export interface PastEvent {
  posicao: number;
  type: string;
  data: object;
  em: Date;
}

export interface Explanation {
  /** Whose it is; null for nobody's. */
  student_id: string | null;
  /** "Por que esta cobrança está vencida?" */
  pergunta: string;
  /** From what it is now to how it began. */
  links: WhyLink[];
  /** What it comes from, nearest first; each explains itself. */
  causes: Thing[];
}

/** What is asked about, as it was `before` a position of the log. */
export interface Asked {
  id: string;
  before: number;
  now: Date;
}

/** How a module's things of one kind explain themselves. */
export interface WhySource {
  rows: (asked: Asked & { today: string }) => CompiledQuery<unknown>;
  /** @param isFirst whether it is what was asked for */
  explain: (
    rows: never,
    events: readonly PastEvent[],
    asker: Asker,
    thing: Thing,
    isFirst: boolean,
  ) => Explanation | undefined;
}
