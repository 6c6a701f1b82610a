/**
 * Data of an event by which a thing of the student `de` is that of `student_id`, because the trainer merged the two records into one.
 * `desfaz`: because that was undone.
 */
export interface Reassigned {
  student_id: string;
  de: string;
  juncao_id: string;
  desfaz: boolean;
}

export const reassignedWords = ({ desfaz }: Pick<Reassigned, 'desfaz'>): string =>
  desfaz ? 'Voltou ao cadastro de antes: junção desfeita' : 'Passou ao cadastro que ficou, ao juntar dois';
