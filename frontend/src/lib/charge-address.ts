/** Address of a charge in the trainer's area. */
export const chargeAddress = (id: string): string => `/cobrancas?cobranca=${id}`;
