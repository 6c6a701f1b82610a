import type { Student } from '../../../../backend/modules/students/students.api.js';

/** Opens WhatsApp with a text to a student; null without a number. */
export function whatsAppOf({ whatsapp, telefone }: Pick<Student, 'whatsapp' | 'telefone'>, text: string) {
  const phone = whatsapp ?? telefone;
  if (!phone) return null;
  const query = new URLSearchParams({ text });
  return `https://wa.me/${phone.replace(/\D/g, '')}?${query.toString().replaceAll('+', '%20')}`;
}
