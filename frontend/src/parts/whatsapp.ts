import { whatsAppAddress } from '../../../backend/platform/whatsapp.api.js';
import type { Student } from '../../../backend/modules/students/students.api.js';

/** Opens WhatsApp with a text to a student; null without a number. */
export function whatsAppOf({ whatsapp, telefone }: Pick<Student, 'whatsapp' | 'telefone'>, text: string) {
  const phone = whatsapp ?? telefone;
  return phone ? whatsAppAddress(phone, text) : null;
}
