/** What an event moves besides, as an undo says it before it is tapped. */
export interface Effect {
  /** Effects of one kind are added up. */
  kind: string;
  quantidade: number;
  /** "devolve 2 créditos a Ana"; without a name where they are of several students. */
  texto: (sum: number, nome: string | null) => string;
  student_id: string | null;
  /** The receita that is reversed, whose receipt is then cancelled. */
  receita?: string;
}

/** What events move, by their types; of others an undo says nothing. `state`: that of the stream after the event. */
export type Effects = Readonly<Record<string, (data: never, state: never) => readonly Effect[]>>;
