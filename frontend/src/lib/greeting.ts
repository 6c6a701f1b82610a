interface Person {
  name: string;
  email: string;
}

/**
 * 'Olá, Ana!': the first word of the name; otherwise the e-mail up to its first dot, capitalised; otherwise 'Personal'.
 * Spec 1, section 2.
 */
export const greeting = (person: Person): string => `Olá, ${firstName(person)}!`;

function firstName({ name, email }: Person): string {
  const word = name.trim().split(/\s+/)[0];
  if (word) return word;
  const part = email.split('@')[0]?.split('.')[0];
  return part ? part.charAt(0).toUpperCase() + part.slice(1) : 'Personal';
}
