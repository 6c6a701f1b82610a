/** Pages that are for everybody, signed in or not. */
export const OPEN_PAGES = /^\/(cadastro|convite|pagar|confirmar|assinar|minha-area|verificar|dev)(\/|$)/;

/** Pages of one column under the name of the product: everybody's, and the student's. */
export const NARROW_PAGES =
  /^\/(aluno|agenda\/[^/]+|auth|cadastro|convite|pagar|confirmar|assinar|minha-area|verificar|dev)(\/|$)/;
