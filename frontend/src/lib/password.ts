const given = Number(document.querySelector<HTMLMetaElement>('meta[name=password-min-length]')?.content);

/** Minimum length of a password (`PASSWORD_MIN_LENGTH`). */
export const passwordMinLength = given >= 6 ? given : 6;
