import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetActions, SheetForm } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './account.module.css';
import { canUsePasskeys } from './can-use-passkeys.js';
import { addPasskey } from './passkeys.js';
import { ProvePerson } from './prove-person.js';
import { useAccountChange } from './use-account-change.js';

interface Passkey {
  id: string;
  friendly_name?: string;
  created_at: string;
  last_used_at?: string;
}

const nameOf = ({ friendly_name }: Passkey) => friendly_name ?? 'Chave de acesso';

/** Passkeys: the person's devices that sign in by finger, face or PIN. */
export function PasskeysSection() {
  const passkeys = useQuery({
    queryKey: ['account', 'passkeys'],
    queryFn: async (): Promise<Passkey[]> => answered((await auth()).passkey.list()),
  });
  const [adding, setAdding] = useState(false);
  const add = (variant: 'filled' | 'default') => (
    <Button variant={variant} onClick={() => setAdding(true)} leftSection={<Icon name="plus" size={18} />}>
      Adicionar chave de acesso
    </Button>
  );
  return (
    <Section title="Chaves de acesso">
      <Async of={passkeys} skeleton={<Skeletons count={1} height={120} />}>
        {(items) =>
          items.length === 0 ? (
            <Card fields>
              <p className={classes.text}>
                Entre com a digital, o rosto ou o PIN do aparelho, sem digitar a senha. A chave fica guardada
                no seu celular, computador ou gerenciador de senhas.
              </p>
              {canUsePasskeys ? (
                add('filled')
              ) : (
                <Quiet size="xs">Este navegador não aceita chaves de acesso. Atualize-o ou use outro.</Quiet>
              )}
            </Card>
          ) : (
            <>
              <Card flush>
                {items.map((each) => (
                  <PasskeyRow key={each.id} passkey={each} />
                ))}
              </Card>
              {canUsePasskeys && add('default')}
            </>
          )
        }
      </Async>
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
    </Section>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const zone = useZone();
  const [opened, setOpened] = useState<'name' | 'end' | null>(null);
  const { created_at, last_used_at } = passkey;
  const close = () => setOpened(null);
  return (
    <>
      <Row
        title={nameOf(passkey)}
        facts={
          last_used_at
            ? `Último uso: ${formatMoment(last_used_at, zone)}`
            : `Adicionada: ${formatMoment(created_at, zone)}`
        }
        onClick={() => setOpened('name')}
        actions={
          <Button
            size="sm"
            variant="default"
            aria-label={`Remover ${nameOf(passkey)}`}
            onClick={() => setOpened('end')}
          >
            Remover
          </Button>
        }
      />
      {opened === 'name' && <RenamePasskey passkey={passkey} onClose={close} />}
      {opened === 'end' && <RemovePasskey passkey={passkey} onClose={close} />}
    </>
  );
}

interface PasskeySheetProps {
  passkey: Passkey;
  onClose: () => void;
}

const naming = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Informe o nome'), z.maxLength(60, 'Use no máximo 60 caracteres')),
});

function RenamePasskey({ passkey, onClose }: PasskeySheetProps) {
  const change = useAccountChange();
  const former = nameOf(passkey);
  const form = useBodyForm({ initialValues: { name: former }, schema: naming, toBody: (values) => values });
  const rename = (friendlyName: string) =>
    change((client) => answered(client.passkey.update({ passkeyId: passkey.id, friendlyName })));
  return (
    <Sheet opened onClose={onClose} title="Renomear chave de acesso" beginsAtField withoutAddress>
      <SheetForm
        form={form}
        submit="Salvar"
        failure="Erro ao renomear"
        save={async ({ name }) => {
          await rename(name);
          onClose();
          toast.success(
            'Chave de acesso renomeada',
            takenBack(() => rename(former)),
          );
        }}
      >
        <TextInput label="Nome" data-autofocus {...form.getInputProps('name')} />
      </SheetForm>
    </Sheet>
  );
}

function RemovePasskey({ passkey, onClose }: PasskeySheetProps) {
  const change = useAccountChange();
  const remove = async () => {
    await change(async (client) => {
      await answered(client.passkey.delete({ passkeyId: passkey.id }));
      await client.refreshSession();
    });
    onClose();
    toast.success('Chave de acesso removida');
  };
  return (
    <ProvenSheet
      title="Remover chave de acesso"
      action="Remover"
      failure="Erro ao remover"
      isRemoval
      run={remove}
      onClose={onClose}
    >
      <strong>{nameOf(passkey)}</strong> não vai mais entrar na sua conta. Você continua entrando com a senha
      ou com um código por e-mail. Quem já entrou continua conectado: se perdeu o aparelho, desconecte-o
      também em “Aparelhos conectados”. Se está com ele, apague a chave nele.
    </ProvenSheet>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const change = useAccountChange();
  const add = async () => {
    const added = await change(addPasskey);
    if (!added) return;
    onClose();
    toast.success('Chave de acesso adicionada', { description: nameOf(added) });
  };
  return (
    <ProvenSheet
      title="Adicionar chave de acesso"
      action="Continuar"
      failure="Erro ao adicionar"
      run={add}
      onClose={onClose}
    >
      O navegador vai pedir a digital, o rosto ou o PIN deste aparelho, ou oferecer outro. A chave vale como
      senha e código ao mesmo tempo: adicione só aparelhos que são seus.
    </ProvenSheet>
  );
}

interface ProvenSheetProps {
  title: string;
  /** What follows. */
  children: ReactNode;
  /** Label of the button. */
  action: string;
  failure: string;
  isRemoval?: boolean;
  run: () => Promise<void>;
  onClose: () => void;
}

/** A change that the service refuses without a recent proof of identity, which is then asked for. */
function ProvenSheet({ title, children, action, failure, isRemoval, run, onClose }: ProvenSheetProps) {
  const [busy, setBusy] = useState(false);
  const [needsProof, setNeedsProof] = useState(false);
  const go = async () => {
    setBusy(true);
    await attempt(async () => {
      try {
        await run();
      } catch (error) {
        if (codeOf(error) !== 'reauthentication_needed') throw error;
        setNeedsProof(true);
      }
    }, failure);
    setBusy(false);
  };
  return (
    <Sheet opened onClose={onClose} title={title} beginsAtField={needsProof} withoutAddress>
      {needsProof ? (
        <ProvePerson onProved={run} />
      ) : (
        <>
          <p className={classes.text}>{children}</p>
          <SheetActions>
            <Button color={isRemoval ? 'red' : undefined} loading={busy} onClick={() => void go()}>
              {action}
            </Button>
          </SheetActions>
        </>
      )}
    </Sheet>
  );
}
