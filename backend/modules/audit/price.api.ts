import * as z from 'zod/mini';

/** What an undo moves besides, one sentence each: "devolve 1 crédito a Ana". */
export const price = z.object({ efeitos: z.array(z.string()) });
export type Price = z.infer<typeof price>;
