import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Signable } from '../../../../backend/modules/contracts/contracts.api.js';
import { Quiet } from '../../ui/quiet.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import { type Reader, useSigning } from './contracts.queries.js';
import classes from './contracts.module.css';

interface MailedCodeProps {
  reader: Reader;
  state: NonNullable<Signable['codigo_email']>;
  onSent?: () => void;
  onConfirmed: (code: string, link: string | null) => void;
}

/** Asks for the code that is mailed to the student, as a second proof of who signs. */
export function MailedCode({ reader, state: { para, enviado }, onSent, onConfirmed }: MailedCodeProps) {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const { mutateAsync, isPending } = useSigning(reader);

  if (isConfirmed)
    return (
      <div>
        <Tag tone="good" icon="check">
          Código confirmado
        </Tag>
      </div>
    );
  if (para === null)
    return (
      <Quiet size="sm">
        Este contrato pede um código por e-mail, e não há e-mail no seu cadastro. Peça ao seu personal para
        incluir.
      </Quiet>
    );

  const mail = () =>
    attempt(async () => {
      await mutateAsync({ to: 'code' });
      onSent?.();
      toast.success('Email enviado!');
    }, 'Erro ao enviar e-mail');
  const confirm = () =>
    attempt(async () => {
      const { confirmado, link = null } = await mutateAsync({ to: 'confirm-code', codigo: typed });
      setWrong(!confirmado);
      if (!confirmado) return;
      setConfirmed(true);
      onConfirmed(typed, link);
    }, 'Erro ao confirmar o código');

  return (
    <div className={classes.stack}>
      <Quiet size="sm">
        {enviado
          ? `Enviamos um código de 6 dígitos para ${para}.`
          : `Para assinar, confirme um código de 6 dígitos que vai para ${para}.`}
      </Quiet>
      {enviado && (
        <>
          <TextInput
            label="Código do e-mail"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={typed}
            error={isWrong && 'Código incorreto. Confira ou peça outro.'}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value.replace(/\D/g, ''));
              setWrong(false);
            }}
          />
          <Button
            variant="default"
            loading={isPending}
            disabled={typed.length !== 6}
            onClick={() => void confirm()}
          >
            Confirmar código
          </Button>
        </>
      )}
      <Button variant={enviado ? 'subtle' : 'default'} loading={isPending} onClick={() => void mail()}>
        {enviado ? 'Enviar outro código' : 'Enviar código'}
      </Button>
    </div>
  );
}
