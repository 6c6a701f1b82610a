/** Its message for the user says what to do. */
export class UnreadableFile extends Error {}

export class TooLarge extends UnreadableFile {
  constructor() {
    super('Este arquivo é grande demais. Deixe nele só a lista de alunos e envie de novo.');
  }
}
