import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { copyText } from '../../lib/clipboard.js';
import { useSignedIn } from '../../lib/me.js';
import { useLocationChoices } from '../../parts/location-choices.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { SharedLink } from '../../ui/shared-link.js';
import { Skeletons } from '../../ui/states.js';
import classes from './public-link.module.css';
import { usePublicLink } from './public-link.queries.js';

const QrCode = lazy(() => whenReachable(() => import('../../ui/qr-code.js')));

/** The addresses by which visitors and students reach the trainer. `invite` makes and shows the link that invites a student. */
export function PublicLinks({ invite }: { invite: ReactNode }) {
  const { slug, tenant_id } = useSignedIn().membership;
  const choices = useLocationChoices();
  const link = usePublicLink();
  const locations = link.isLoading
    ? undefined
    : choices.data?.items.filter(
        ({ id, is_active }) => is_active && (link.data?.locais?.includes(id) ?? true),
      );
  const { origin } = window.location;
  const page = `${origin}/p/${slug}`;
  return (
    <div className={classes.links}>
      <Section title="Link geral">
        {link.data?.ativo === false && (
          <Quiet>O link está desativado: quem abre lê que você pausou os agendamentos.</Quiet>
        )}
        <PublicLink
          url={page}
          title="Link geral"
          note="Sua página, com todos os locais. Para a bio do Instagram e o cartão de visita."
        />
      </Section>
      <Section title="Links por local">
        {!locations && <Skeletons count={2} height={96} />}
        {locations?.length === 0 && (
          <Quiet>Cadastre um local, ou mostre um no link público, para ter um link só dele.</Quiet>
        )}
        {locations?.map(({ id, nome }) => (
          <PublicLink key={id} url={`${page}/${id}`} title={nome} note={nome} />
        ))}
      </Section>
      <Section title="Link de convite">
        <Quiet>Para um aluno criar a conta dele. Uso único, válido por 7 dias.</Quiet>
        {invite}
      </Section>
      <Section title="Agendamento de alunos">
        <PublicLink
          url={`${origin}/agenda/${tenant_id}`}
          title="Agendamento de alunos"
          note="Para alunos com conta agendarem sozinhos."
        />
      </Section>
    </div>
  );
}

function PublicLink({ url, title, note }: { url: string; title: string; note: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={classes.shared}>
      <Quiet>{note}</Quiet>
      <SharedLink url={url} title={title} copy={copyText}>
        <Button
          variant="default"
          aria-expanded={isShown}
          aria-label={`QR Code: ${title}`}
          onClick={() => setShown(!isShown)}
        >
          QR Code
        </Button>
      </SharedLink>
      {isShown && (
        <Suspense fallback={<Skeletons count={1} height={240} />}>
          <QrCode text={url} label={title} />
        </Suspense>
      )}
    </div>
  );
}
