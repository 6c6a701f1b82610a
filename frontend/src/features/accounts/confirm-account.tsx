import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { toast } from '../../ui/toast.js';
import { MailedCode } from './mailed-code.js';
import { confirmationLink } from './sign-up.js';

interface ConfirmAccountProps {
  email: string;
  onBack: () => void;
  onDone?: () => void;
}

/** The last step of a sign-up where addresses are confirmed by mail. */
export function ConfirmAccount({ email, onBack, onDone }: ConfirmAccountProps) {
  const resend = async () => {
    const options = { emailRedirectTo: confirmationLink() };
    await answered((await auth()).resend({ type: 'signup', email, options }));
  };
  return (
    <MailedCode
      email={email}
      title="Confirme seu e-mail"
      onResend={resend}
      onBack={onBack}
      back="Usar outro e-mail"
      onDone={() => {
        toast.success('Conta confirmada!');
        onDone?.();
      }}
    />
  );
}
