import { lazy, Suspense } from 'react';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { whenReachable } from '../../lib/chunks.js';
import { Loading } from '../../ui/loading.js';
import { toast } from '../../ui/toast.js';
import { confirmationLink } from './sign-up.js';

const MailedCodeForm = lazy(() => whenReachable(() => import('./mailed-code-form.js')));

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
    <Suspense fallback={<Loading />}>
      <MailedCodeForm
        email={email}
        title="Confirme seu e-mail"
        hint="Digite o código aqui ou abra o link do e-mail."
        onResend={resend}
        onBack={onBack}
        back="Usar outro e-mail"
        onDone={() => {
          toast.success('Conta confirmada!');
          onDone?.();
        }}
      />
    </Suspense>
  );
}
