import * as z from 'zod/mini';

/** The colours by which things are told apart, and how they are called. */
export const colourNames = {
  azul: 'Azul',
  verde: 'Verde',
  amarelo: 'Amarelo',
  laranja: 'Laranja',
  vermelho: 'Vermelho',
  rosa: 'Rosa',
  roxo: 'Roxo',
  cinza: 'Cinza',
} as const;
export type Colour = keyof typeof colourNames;

export const colour = z.enum(Object.keys(colourNames) as Colour[], 'Escolha uma cor');
