/** `+5511987654321` → `(11) 98765-4321` */
export const formatPhone = (e164: string): string => e164.replace(/^\+55(\d\d)(\d+)(\d{4})$/, '($1) $2-$3');
