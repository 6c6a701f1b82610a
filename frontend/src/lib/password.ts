const given = Number(document.querySelector<HTMLMetaElement>('meta[name=password-min-length]')?.content);

/** How long a password is at the least (`PASSWORD_MIN_LENGTH`). */
export const passwordMinLength = given >= 6 ? given : 6;
