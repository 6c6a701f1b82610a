import { maskPhone } from '../../lib/masks.js';

/** `+5511987654321` → `(11) 98765-4321` */
export const formatPhone = (e164: string): string => maskPhone(e164.replace(/^\+55/, ''));
