/** Security events of accounts; see auth.security_events. */
export type KeptEvent =
  | 'password_changed'
  | 'email_changed'
  | 'factor_added'
  | 'factor_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'export_requested'
  | 'new_device';

/** Events with a mail to the owner; a change of address is already confirmed by mails to both addresses. */
export type NotifiedEvent = Exclude<KeptEvent, 'email_changed'>;

interface Words {
  subject: string;
  /** What happened; time and device follow in the mail. */
  happened: string;
  /** The consequences. */
  besides?: string;
  /** What to do if it was somebody else. */
  otherwise: string;
}

const NEW_PASSWORD = 'crie uma nova senha em “Esqueci minha senha”';

/** The text of a security mail. */
export const notices: Record<NotifiedEvent, Words> = {
  password_changed: {
    subject: 'Aviso de segurança: a senha do seu Rende foi alterada',
    happened: 'A senha da sua conta foi alterada',
    besides: 'Os outros aparelhos foram desconectados e contam como novos no próximo login.',
    otherwise: `Não foi você? Na tela de login, ${NEW_PASSWORD}.`,
  },
  factor_added: {
    subject: 'Aviso de segurança: verificação em duas etapas ativada',
    happened: 'Um aplicativo autenticador foi adicionado à sua conta',
    besides: 'A partir de agora, o login também pede o código dele. Os outros aparelhos foram desconectados.',
    otherwise: 'Não foi você? Fale com o suporte e não passe seus códigos a ninguém.',
  },
  factor_removed: {
    subject: 'Aviso de segurança: aplicativo autenticador removido',
    happened: 'Um aplicativo autenticador foi removido da sua conta',
    otherwise: `Não foi você? Na tela de login, ${NEW_PASSWORD} e ative a verificação de novo em Segurança.`,
  },
  passkey_added: {
    subject: 'Aviso de segurança: chave de acesso adicionada',
    happened: 'Uma chave de acesso foi adicionada à sua conta',
    besides: 'Com ela, dá para entrar sem senha e sem código.',
    otherwise: `Não foi você? Em Segurança, remova essa chave e desconecte o aparelho que você não conhece; depois ${NEW_PASSWORD}.`,
  },
  passkey_removed: {
    subject: 'Aviso de segurança: chave de acesso removida',
    happened: 'Uma chave de acesso foi removida da sua conta',
    otherwise: `Não foi você? Na tela de login, ${NEW_PASSWORD} e adicione a chave de novo em Segurança.`,
  },
  export_requested: {
    subject: 'Aviso de segurança: cópia dos seus dados pedida',
    happened: 'Uma cópia de todos os seus dados foi pedida',
    besides:
      'Ela pode ser baixada por 24 horas na página Seus dados, só no aparelho que a pediu e enquanto ele continuar conectado.',
    otherwise: `Não foi você? Em Segurança, desconecte o aparelho que você não conhece; depois ${NEW_PASSWORD}.`,
  },
  new_device: {
    subject: 'Aviso de segurança: login em um novo aparelho',
    happened: 'Sua conta foi acessada em um aparelho que ainda não conhecíamos',
    otherwise: `Não foi você? Em Segurança, desconecte esse aparelho; depois ${NEW_PASSWORD}.`,
  },
};

export function isNotified(event: KeptEvent): event is NotifiedEvent {
  return event in notices;
}

export function noticeKind(event: NotifiedEvent): string {
  return `accounts.${event}`;
}
