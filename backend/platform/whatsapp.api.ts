/**
 * The address that opens a conversation in WhatsApp, with a text to send: with a number in E.164, or with whoever the sender
 * then chooses.
 */
export function whatsAppAddress(phone: string | null, text?: string): string {
  const query = text === undefined ? '' : `?text=${encodeURIComponent(text)}`;
  return `https://wa.me/${phone?.replace(/\D/g, '') ?? ''}${query}`;
}
