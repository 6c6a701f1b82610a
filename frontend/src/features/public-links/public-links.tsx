import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { copyText } from '../../lib/clipboard.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { SharedLink } from '../../ui/shared-link.js';
import { Skeletons } from '../../ui/states.js';
import classes from './public-links.module.css';

const QrCode = lazy(() => whenReachable(() => import('../../ui/qr-code.js')));

interface PublicLinksProps {
  slug: string;
  tenantId: string;
  /** The page is switched off. */
  isOff: boolean;
  /** Locations on the page; null while loading. */
  locations: readonly { id: string; nome: string }[] | null;
  /** Creates and shows the link that invites a student. */
  invite: ReactNode;
}

/** The addresses by which visitors and students reach the trainer. */
export function PublicLinks({ slug, tenantId, isOff, locations, invite }: PublicLinksProps) {
  const { origin } = window.location;
  const page = `${origin}/p/${slug}`;
  return (
    <div className={classes.panel}>
      <Section title="Link geral">
        {isOff && <Quiet>O link está desativado: quem abre lê que você pausou os agendamentos.</Quiet>}
        <PublicLink
          url={page}
          title="Link geral"
          note="Sua página, com todos os locais. Para a bio do Instagram e o cartão de visita."
        />
      </Section>
      <Section title="Links por local">
        {locations === null && <Skeletons count={2} height={96} />}
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
          url={`${origin}/agenda/${tenantId}`}
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
    <div className={classes.link}>
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
