import { Button } from '@mantine/core';
import type { Factor, User } from '@supabase/auth-js';
import { useState, type ReactNode } from 'react';
import { plural, wordFor } from '../../../../backend/platform/plural.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Tag } from '../../ui/tag.js';
import { toast } from '../../ui/toast.js';
import { useBodyForm } from '../../lib/form.js';
import { SaveButton, submitting } from '../../ui/form.js';
import { answered } from '../../lib/auth-refusals.js';
import classes from './account.module.css';
import { EnrolFactor } from './enrol-factor.js';
import { FactorCodeField, factorCode, showFactor } from './factor-code.js';
import { PasskeyProof } from './passkey-buttons.js';
import { RecoveryCodes, newRecoveryCodes, useRecoveryCodes } from './recovery-codes.js';
import { useAccountChange } from './use-account-change.js';

const FEW = 3;

/** The authenticator app as a second factor, and its recovery codes. */
export function SecondFactorSection({ user }: { user: User }) {
  const [enrolling, setEnrolling] = useState(false);
  const factor = user.factors?.find(({ status }) => status === 'verified');
  return (
    <Section title="Verificação em duas etapas">
      {factor ? (
        <Card flush>
          <LinkedFactor factor={factor} />
          <CodesLeft factorId={factor.id} />
        </Card>
      ) : (
        <Card fields>
          <p className={classes.text}>
            Além da senha, o login pede um código do seu celular. Assim, quem descobrir a sua senha não
            consegue entrar.
          </p>
          <Button onClick={() => setEnrolling(true)} leftSection={<Icon name="shield" size={18} />}>
            Ativar verificação
          </Button>
        </Card>
      )}
      {enrolling && <EnrolFactor user={user} onClose={() => setEnrolling(false)} />}
    </Section>
  );
}

function LinkedFactor({ factor }: { factor: Factor }) {
  const zone = useZone();
  const change = useAccountChange();
  const [ending, setEnding] = useState(false);

  const turnOff = async () => {
    await change(async (client) => {
      await answered(client.mfa.unenroll({ factorId: factor.id }));
      await client.refreshSession();
    });
    toast.success('Verificação em duas etapas desativada');
  };

  return (
    <>
      <Row
        title="Aplicativo autenticador"
        facts={`Ativado: ${formatMoment(factor.created_at, zone)}`}
        actions={
          <Button size="sm" variant="default" onClick={() => setEnding(true)}>
            Desativar
          </Button>
        }
      />
      {ending && (
        <Sheet
          opened
          onClose={() => setEnding(false)}
          title="Desativar verificação"
          beginsAtField
          withoutAddress
        >
          <ProveFactor factorId={factor.id} action="Desativar" failure="Erro ao desativar" onProved={turnOff}>
            O login vai pedir só a senha, e os códigos de recuperação deixarão de funcionar.
          </ProveFactor>
        </Sheet>
      )}
    </>
  );
}

function CodesLeft({ factorId }: { factorId: string }) {
  const change = useAccountChange();
  const { data: left } = useRecoveryCodes();
  const [renewing, setRenewing] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setRenewing(false);
    setCodes(null);
  };

  return (
    <>
      <Row
        title="Códigos de recuperação"
        facts={
          left === undefined
            ? '…'
            : `${wordFor(left, 'Resta', 'Restam')} ${plural(left, 'código', 'códigos')}`
        }
        trail={
          left !== undefined &&
          left <= FEW && (
            <Tag tone="warn" icon="alert">
              Acabando
            </Tag>
          )
        }
        actions={
          <Button size="sm" variant="default" onClick={() => setRenewing(true)}>
            {' '}
            Gerar novos{' '}
          </Button>
        }
      />
      {renewing && (
        <Sheet
          opened
          onClose={close}
          title={codes ? 'Códigos de recuperação' : 'Gerar novos códigos'}
          beginsAtField
          withoutAddress
        >
          {codes ? (
            <RecoveryCodes codes={codes} onKept={close} />
          ) : (
            <ProveFactor
              factorId={factorId}
              action="Gerar novos códigos"
              failure="Erro ao gerar os códigos"
              onProved={async () => setCodes(await change(newRecoveryCodes))}
            >
              Os códigos anteriores deixarão de funcionar.
            </ProveFactor>
          )}
        </Sheet>
      )}
    </>
  );
}

interface ProveFactorProps {
  factorId: string;
  /** Description of the action. */
  children: ReactNode;
  /** Label of the button. */
  action: string;
  failure: string;
  onProved: () => Promise<void>;
}

/** Asks for a code of the second factor before a sensitive action. */
function ProveFactor({ factorId, children, action, failure, onProved }: ProveFactorProps) {
  const form = useBodyForm({ initialValues: { code: '' }, schema: factorCode, toBody: (values) => values });
  return (
    <form
      noValidate
      onSubmit={submitting(form, {
        failure,
        save: async ({ code }) => {
          await showFactor(factorId, code);
          await onProved();
        },
      })}
    >
      <p className={classes.text}>{children}</p>
      <FactorCodeField
        description="Do aplicativo autenticador, ou um dos seus códigos de recuperação"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-autofocus
        {...form.getInputProps('code')}
      />
      <PasskeyProof onProved={onProved} />
      <SheetActions>
        <SaveButton busy={form.submitting}>{action}</SaveButton>
      </SheetActions>
    </form>
  );
}
