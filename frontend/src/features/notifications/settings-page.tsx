import { Checkbox, NativeSelect, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { type ReactNode, useEffect, useState } from 'react';
import { useAnswer } from '../../lib/answer.js';
import {
  groupsOf,
  type LetterKind,
  letterKinds,
  type NoticeGroup,
  noticeGroups,
  type NotificationSettings,
  notificationSettings,
} from '../../../../backend/modules/letters/notification-settings.api.js';
import { zoneNames } from '../../../../backend/modules/settings/settings.api.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { reads } from '../../lib/topics.js';
import { useSignedIn } from '../../lib/me.js';
import { Card } from '../../ui/card.js';
import { FieldPair, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Page, Section } from '../../ui/page.js';
import { saveUndoably } from '../../ui/save-undoably.js';
import { Async, Skeletons } from '../../ui/states.js';
import { TimeField } from '../../ui/time-field.js';
import { attempt } from '../../ui/toast.js';
import { type PushState, pushState, startPush, stopPush } from '../../lib/push.js';
import type { Reader } from './notifications.queries.js';
import classes from './notifications.module.css';

const SETTINGS = reads('notification-settings', []);
const pathOf = { personal: '/settings/notifications', aluno: '/student/notification-settings' } as const;

type Words = readonly [title: string, facts: string];
const words: Record<Reader, Partial<Record<NoticeGroup, Words>>> = {
  personal: {
    aulas: ['Sessões', 'Quem agendou, remarcou ou desmarcou, e se o seu outro calendário parar'],
    pedidos: ['Pedidos', 'Quem pediu para remarcar ou desmarcar, e ofertas da lista de espera'],
    pagamentos: ['Pagamentos', 'Quem pagou ou avisou que já pagou'],
    contratos: ['Contratos', 'Quem assinou ou recusou'],
  },
  aluno: {
    aulas: ['Aulas', 'Agendadas, remarcadas ou desmarcadas pelo personal'],
    pedidos: ['Pedidos', 'A resposta do personal'],
    pagamentos: ['Cobranças', 'Cada nova cobrança'],
    contratos: ['Contratos', 'O que há para assinar'],
    creditos: ['Créditos', '7 dias antes de vencerem'],
    lembretes: ['Lembretes', 'Na véspera de cada aula'],
  },
};

/** Kinds that are only mailed. */
const letters: Record<LetterKind, Words> = {
  vencimentos: ['Vencimentos', 'Antes e depois do vencimento, até você pagar'],
  assinaturas: ['Assinaturas', 'Lembretes de contrato, até você assinar'],
};

/** Settings of notifications: devices, groups, mails and quiet hours. */
export default function NotificationSettingsPage() {
  const { user, membership } = useSignedIn();
  const { role: reader } = membership;
  const settings = useAnswer([SETTINGS, reader], `GET ${pathOf[reader]}`);
  return (
    <Page
      title="Escolher notificações"
      back={reader === 'personal' ? '/ajustes' : '/aluno/notificacoes'}
      width="narrow"
    >
      <ThisDevice userId={user.id} />
      <Async of={settings} skeleton={<Skeletons count={2} height={240} />}>
        {(before) => <Choices before={before} reader={reader} />}
      </Async>
    </Page>
  );
}

const chosen = (groups: readonly NoticeGroup[]) =>
  Object.fromEntries(noticeGroups.map((group) => [group, groups.includes(group)]));
const wanted = (switchedOff: readonly LetterKind[]) =>
  Object.fromEntries(letterKinds.map((kind) => [kind, !switchedOff.includes(kind)]));
const namesOf = (choices: Record<string, boolean>) => noticeGroups.filter((group) => choices[group]);

function Choice({ words: [title, facts], children }: { words: Words; children: ReactNode }) {
  return (
    <div role="group" aria-label={title} className={classes.choice}>
      <span className={classes.about}>
        <span className={classes.name}>{title}</span>
        <span className={classes.facts}>{facts}</span>
      </span>
      {children}
    </div>
  );
}

function Choices({ before, reader }: { before: NotificationSettings; reader: Reader }) {
  const { mutateAsync } = useSend(`PUT ${pathOf[reader]}`);
  const form = useBodyForm({
    initialValues: {
      push: chosen(before.push),
      email: chosen(before.email),
      quieto: before.silencio !== null,
      cartas: wanted(before.desligados ?? []),
      silencio: before.silencio ?? { de: '22:00', ate: '07:00' },
      zona: before.zona,
    },
    schema: notificationSettings,
    toBody: ({ push, email, cartas, quieto, silencio, zona }): unknown => ({
      push: namesOf(push),
      email: namesOf(email),
      zona,
      desligados: letterKinds.filter((kind) => !cartas[kind]),
      silencio: quieto ? silencio : null,
    }),
  });
  const save = (body: NotificationSettings) => saveUndoably(mutateAsync, body, before, 'Notificações salvas');
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar' })}>
      <Section title="O que você recebe">
        <Card fields>
          {groupsOf[reader].map((group) => (
            <Choice key={group} words={words[reader][group]!}>
              <Checkbox label="No aparelho" {...form.getInputProps(`push.${group}`, { type: 'checkbox' })} />
              <Checkbox label="Por e-mail" {...form.getInputProps(`email.${group}`, { type: 'checkbox' })} />
            </Choice>
          ))}
          {reader === 'aluno' &&
            letterKinds.map((kind) => (
              <Choice key={kind} words={letters[kind]}>
                <Checkbox
                  label="Por e-mail"
                  {...form.getInputProps(`cartas.${kind}`, { type: 'checkbox' })}
                />
              </Choice>
            ))}
        </Card>
      </Section>
      <Section title="Silêncio">
        <Card fields>
          <Switch
            label="Horário de silêncio"
            description="O que chegar nesse horário aparece quando ele terminar."
            {...form.getInputProps('quieto', { type: 'checkbox' })}
          />
          {form.values.quieto && (
            <>
              <FieldPair>
                <TimeField label="Das" {...form.getInputProps('silencio.de')} />
                <TimeField label="Às" {...form.getInputProps('silencio.ate')} />
              </FieldPair>
              <NativeSelect
                label="Fuso horário"
                data={Object.entries(zoneNames).map(([value, label]) => ({ value, label }))}
                {...form.getInputProps('zona')}
              />
            </>
          )}
        </Card>
      </Section>
      <SaveButton busy={form.submitting}>Salvar</SaveButton>
    </FormStack>
  );
}

const why: Record<PushState, string> = {
  unsupported:
    'Este navegador não mostra notificações. No iPhone, adicione o Rende à Tela de Início e abra por ela.',
  blocked: 'As notificações do Rende estão bloqueadas neste navegador. Libere nas configurações do site.',
  off: 'Aparecem mesmo com o Rende fechado.',
  on: 'Aparecem mesmo com o Rende fechado.',
};

/** Switches notifications on this browser on and off. */
function ThisDevice({ userId }: { userId: string }) {
  const [state, setState] = useState<PushState | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void pushState(userId).then(setState);
  }, [userId]);

  const change = async (wanted: boolean) => {
    setBusy(true);
    const failure = wanted
      ? 'Não foi possível ativar as notificações neste aparelho'
      : 'Não foi possível desativar as notificações neste aparelho';
    await attempt(async () => {
      if (wanted) return setState(await startPush(userId));
      await stopPush();
      setState('off');
    }, failure);
    setBusy(false);
  };
  return (
    <Section title="Neste aparelho">
      <Card fields>
        <Switch
          label="Mostrar notificações"
          description={why[state ?? 'off']}
          checked={state === 'on'}
          disabled={busy || state === null || state === 'unsupported' || state === 'blocked'}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      </Card>
    </Section>
  );
}
