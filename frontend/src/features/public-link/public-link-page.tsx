import { Button, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import {
  type LinkSettings,
  newSlug,
  type NewSlug,
  type PublicLink,
} from '../../../../backend/modules/public-link/public-link.api.js';
import { copyText } from '../../lib/clipboard.js';
import { useSend } from '../../lib/command.js';
import { dayOf, formatDate, formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { useZone } from '../../lib/zone.js';
import { History } from '../../parts/history.js';
import { useProfile } from '../../parts/profile.js';
import { Card } from '../../ui/card.js';
import { ButtonRow, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { saveUndoably } from '../../ui/save-undoably.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { LinkForm } from './link-form.js';
import classes from './public-link.module.css';
import { useBlock, usePreview, usePublicLink, useQr } from './public-link.queries.js';
import { Visits } from './visits.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { WaitingList } from './waiting-list.js';

/** "Link público": what visitors may book, and their bookings. */
export default function PublicLinkPage() {
  const link = usePublicLink();
  const profile = useProfile();
  const phone = profile.isLoading ? undefined : (profile.data?.telefone ?? null);
  return (
    <Page
      title="Link público"
      back="/ajustes"
      width="narrow"
      subtitle="Para quem ainda não treina com você agendar sozinho."
    >
      <Section title="Reservas">
        <Visits />
      </Section>
      <WaitingList />
      <Async of={link} skeleton={<Skeletons count={3} height={160} />}>
        {(data) => (
          <>
            <Share link={data} />
            <Preview link={data} />
            <Settings link={data} phone={phone} />
            <Address link={data} />
            {data.bloqueados.length > 0 && <Blocked of={data.bloqueados} />}
            {/* There is no history before the first save. */}
            {data.salvo && (
              <Section title="Histórico">
                <History kind="link" />
              </Section>
            )}
          </>
        )}
      </Async>
    </Page>
  );
}

function Share({ link: { url, ativo, horarios_definidos } }: { link: PublicLink }) {
  const qr = useQr(url);
  const copy = async () => {
    if (await copyText(url)) toast.success('Link copiado para a área de transferência!');
    else toast.error('Não foi possível copiar', { description: url });
  };
  const share = async () => {
    const text = 'Agende sua aula comigo:';
    if ('share' in navigator)
      await navigator.share({ title: 'Agende sua aula', text, url }).catch(() => undefined);
    else window.open(whatsAppAddress(null, `${text} ${url}`), '_blank', 'noopener');
  };
  return (
    <Section title="Seu link">
      <Card fields>
        <a className={classes.url} href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
        </a>
        {!ativo && (
          <Quiet size="sm">O link está desativado: quem abre lê que você pausou os agendamentos.</Quiet>
        )}
        {ativo && !horarios_definidos && (
          <Quiet size="sm">
            Você ainda não definiu seus horários: o link oferece todos os dias, das 9:00 às 17:00.{' '}
            <Link to="/agenda?abrir=horarios">Definir horários</Link>
          </Quiet>
        )}
        <ButtonRow>
          <Button leftSection={<Icon name="copy" size={18} />} onClick={() => void copy()}>
            Copiar
          </Button>
          <Button variant="default" leftSection={<Icon name="link" size={18} />} onClick={() => void share()}>
            Compartilhar
          </Button>
        </ButtonRow>
        {qr.data && (
          <figure className={classes.qr}>
            <img src={qr.data} alt={`QR Code de ${url}`} width={180} height={180} />
            <figcaption>
              <a href={qr.data} download="rende-qr-code.png">
                Baixar QR Code (PNG)
              </a>
            </figcaption>
          </figure>
        )}
      </Card>
    </Section>
  );
}

const SHOWN = 3;

function Preview({ link: { slug, url, ativo } }: { link: PublicLink }) {
  const preview = usePreview(slug, ativo);
  const zone = useZone();
  if (!ativo || !preview.data) return null;
  const { nome, texto, locais, horarios } = preview.data;
  const next = horarios.slice(0, SHOWN).map(({ inicio }) => formatMoment(inicio, zone));
  return (
    <Section title="Prévia">
      <Card fields>
        <strong>{nome}</strong>
        {texto && <p className={classes.text}>{texto}</p>}
        {locais.length === 0 && (
          <Quiet size="sm">Nenhum local aparece: ative um local ou escolha quais mostrar.</Quiet>
        )}
        {locais.map((place) => (
          <div key={place.id}>
            {place.nome}
            {place.endereco && <Quiet size="sm">{place.endereco}</Quiet>}
          </div>
        ))}
        <Quiet size="sm">
          {next.length > 0
            ? `Próximos horários: ${next.join('; ')}`
            : 'Nenhum horário livre nos dias mostrados.'}
        </Quiet>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
          Abrir como visitante
        </Button>
      </Card>
    </Section>
  );
}

interface SettingsProps {
  link: PublicLink;
  /** The trainer's own number; undefined while it is loading. */
  phone: string | null | undefined;
}

function Settings({ link, phone }: SettingsProps) {
  const before = settingsOf(link);
  const whatsapp = link.salvo ? before.whatsapp : phone;
  if (whatsapp === undefined) return <Skeletons count={3} height={160} />;
  return <LinkForm before={before} whatsapp={whatsapp} salvo={link.salvo} own={phone ?? null} pix={link} />;
}

/** Refusals that are shown at the field. */
const SLUG_REFUSED: unknown[] = ['public_link.slug_taken', 'public_link.slugs_used_up'];

function Address({ link: { slug, url, antigos } }: { link: PublicLink }) {
  const { mutateAsync } = useSend('PUT /public-link/slug');
  const zone = useZone();
  const form = useBodyForm({
    initialValues: { slug },
    schema: newSlug,
    toBody: (values) => values,
    draft: 'link-publico.endereco',
  });
  const save = (body: NewSlug) => saveUndoably(mutateAsync, body, { slug }, 'Endereço salvo');
  return (
    <Section title="Endereço">
      <Card>
        <FormStack
          form={form}
          onSubmit={submitting(form, {
            save,
            failure: 'Erro ao salvar',
            takes: (error) => SLUG_REFUSED.includes(codeOf(error)) && form.showProblem(error),
          })}
        >
          <TextInput
            label="Endereço do link"
            description={`${url.slice(0, -slug.length).replace(/^https?:\/\//, '')}…`}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            {...form.getInputProps('slug')}
          />
          {antigos.map((old) => (
            <Quiet size="sm" key={old.slug}>
              O endereço antigo {old.slug} funciona até {formatDate(dayOf(old.ate, zone))}.
            </Quiet>
          ))}
          <SaveButton busy={form.submitting}>Mudar endereço</SaveButton>
        </FormStack>
      </Card>
    </Section>
  );
}

function Blocked({ of }: { of: PublicLink['bloqueados'] }) {
  const block = useBlock();
  const unblock = (id: string) =>
    attempt(async () => {
      await block.mutateAsync({ id, bloqueado: false });
      toast.success(
        'Número desbloqueado',
        takenBack(() => block.mutateAsync({ id, bloqueado: true }), 'Número bloqueado de novo'),
      );
    }, 'Erro ao desbloquear');
  return (
    <Section title="Números bloqueados">
      <Card flush>
        {of.map(({ student_id, nome }) => (
          <Row
            key={student_id}
            title={nome ?? 'Aluno apagado'}
            facts="Não agenda pelo link"
            actions={
              <Button size="sm" variant="default" onClick={() => void unblock(student_id)}>
                Desbloquear
              </Button>
            }
          />
        ))}
      </Card>
    </Section>
  );
}

/** The part of the server's answer that the form sends. */
function settingsOf(link: PublicLink): LinkSettings {
  const { ativo, dias, duracao_min, intervalo_min, por_dia, antecedencia_min } = link;
  const { ver_todos, locais, texto, cref, primeira_aula, whatsapp, indexavel } = link;
  const { antecipado, sinal, espera_min, falta_percent } = link;
  return {
    ativo,
    dias,
    duracao_min,
    intervalo_min,
    por_dia,
    antecedencia_min,
    ver_todos,
    locais,
    texto,
    cref,
    primeira_aula,
    whatsapp,
    indexavel,
    antecipado,
    sinal,
    espera_min,
    falta_percent,
  };
}
