import { firstName } from '../../../backend/platform/first-name.api.js';

interface Person {
  name: string;
  email: string;
}

/**
 * 'Olá, Ana!': by the name; otherwise the e-mail up to its first dot, capitalised; otherwise 'Personal'.
 * Spec 1, section 2.
 */
export const greeting = ({ name, email }: Person): string =>
  `Olá, ${firstName(name.trim()) || nameIn(email)}!`;

function nameIn(email: string): string {
  const part = email.split('@')[0]?.split('.')[0];
  return part ? part.charAt(0).toUpperCase() + part.slice(1) : 'Personal';
}
