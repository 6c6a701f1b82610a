import * as z from 'zod/mini';
import { registration } from './auth.schemas.js';

/** The ticket from the page's address, and the PKCE verifier that the browser has kept. */
const ticket = { ticket: z.string(), code_verifier: z.string() };

export const newcomerBody = z.strictObject(ticket);
export type NewcomerBody = z.infer<typeof newcomerBody>;

export const newcomerSignUpBody = z.strictObject({ ...ticket, data: registration });
export type NewcomerSignUpBody = z.infer<typeof newcomerSignUpBody>;
