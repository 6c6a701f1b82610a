import { Button } from '@mantine/core';
import type { PayerAccess as Access } from '../../../../backend/modules/accounts/invites.api.js';
import type { Payer } from '../../../../backend/modules/payers/payers.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { copyText } from '../../lib/clipboard.js';
import { useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { IconAction, IconActions } from '../../ui/icon-actions.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './payers.module.css';
import { usePayerAccess } from './payers.queries.js';

/** `Ana e Bia` */
const namesOf = (students: Access['alunos']): string =>
  new Intl.ListFormat('pt-BR').format(students.map(({ nome }) => firstName(nome)));

/** The students whose area the payer's account has: `Ana e Bia`, or null for none. */
export function reachedBy({ alunos }: Access): string | null {
  const reached = alunos.filter(({ conta }) => conta === 'do_pagador');
  return reached.length > 0 ? namesOf(reached) : null;
}

/** The one invite by which a payer's account gets the areas of the students, and which it has. */
export function PayerAccess({ payer }: { payer: Payer }) {
  const access = usePayerAccess(payer.id);
  return (
    <Section title="Acesso à área dos alunos">
      <Card fields>
        <Async of={access} failure="Erro ao carregar o acesso" skeleton={<Skeletons count={1} height={96} />}>
          {(data) => <Shown payer={payer} access={data} />}
        </Async>
      </Card>
    </Section>
  );
}

function Shown({ payer, access }: { payer: Payer; access: Access }) {
  const { nome } = payer;
  const [reached, zone] = [reachedBy(access), useZone()];
  const others = access.alunos.filter(({ conta }) => conta === 'de_outra_pessoa');
  const left = access.alunos.filter(({ conta }) => conta === null);
  const { convite } = access;
  return (
    <>
      {reached && (
        <p className={classes.said}>
          {nome} entra com a própria conta na área de {reached}.
        </p>
      )}
      {others.length > 0 && (
        <p className={classes.said}>
          {namesOf(others)} {others.length > 1 ? 'têm contas que não são' : 'tem uma conta que não é'} de{' '}
          {nome}.
        </p>
      )}
      {left.length > 0 && (
        <p className={classes.said}>
          Quem aceitar o convite entra na área de {namesOf(left)}, com uma conta só. Por quem {nome} passar a
          pagar depois, é preciso um novo convite.
        </p>
      )}
      {left.length > 0 && convite && (
        <p className={classes.said}>
          Convite pendente, uso único. Válido até {formatMoment(convite.expires_at, zone)}.
        </p>
      )}
      {left.length > 0 &&
        (convite ? <Pending payer={payer} url={convite.inviteUrl} /> : <Invite payer={payer} />)}
    </>
  );
}

function Invite({ payer: { id, nome } }: { payer: Payer }) {
  const { mutateAsync, isPending } = useSendTo('POST /payers/:id/invites');
  const invite = () =>
    attempt(async () => {
      await mutateAsync(id);
      toast.success('Link criado!');
    }, 'Erro ao gerar o link de convite');
  return (
    <Button
      variant="light"
      loading={isPending}
      onClick={() => void invite()}
      leftSection={<Icon name="link" size={18} />}
    >
      Convidar {nome}
    </Button>
  );
}

function Pending({ payer: { id, whatsapp }, url }: { payer: Payer; url: string }) {
  const { mutateAsync } = useSendTo('DELETE /payers/:id/invites');
  const copy = async () => {
    if (await copyText(url)) toast.success('Link copiado!');
    else toast.error('Não foi possível copiar');
  };
  const cancel = () =>
    attempt(async () => {
      await mutateAsync(id);
      toast.success('Convite cancelado');
    }, 'Erro ao cancelar o convite');
  return (
    <IconActions>
      {whatsapp && (
        <IconAction
          icon="chat"
          href={whatsAppAddress(whatsapp, `Oi! Crie sua conta para ver as aulas: ${url}`)}
        >
          Enviar
        </IconAction>
      )}
      <IconAction icon="link" onClick={() => void copy()}>
        Copiar link
      </IconAction>
      <IconAction icon="close" onClick={() => void cancel()}>
        Cancelar
      </IconAction>
    </IconActions>
  );
}
