/** The refusal of a payment whose Pix a provider has reported, and what the button beside it says. */
export const PIX_TOLD = { code: 'charges.pix_told', label: 'Registrar mesmo assim' };
