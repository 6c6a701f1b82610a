import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { WhyLink } from '../../../backend/modules/audit/why.api.js';
import { read } from '../lib/calls.js';
import { dayOf, formatLongDay, formatMoment } from '../lib/dates.js';
import { reads } from '../lib/topics.js';
import { useZone } from '../lib/zone.js';
import { Icon } from '../ui/icon.js';
import { Async, Skeletons } from '../ui/states.js';
import type { WhyOf } from './why.js';
import classes from './why.module.css';

const WHY = reads('why', 'all');

interface WhyChainProps {
  of: WhyOf;
  isOwn: boolean;
}

/** From what a thing is back to where it comes from; a tap on a link opens its page, or its own chain. */
export default function WhyChain({ of, isOwn }: WhyChainProps) {
  const [asked, setAsked] = useState<string[]>([of]);
  const de = asked.at(-1) as WhyOf;
  const chain = useQuery({
    queryKey: [WHY, isOwn, de],
    queryFn: ({ signal }) =>
      isOwn
        ? read('GET /student/why', { query: { de }, signal })
        : read('GET /why', { query: { de }, signal }),
  });
  return (
    <section className={classes.chain}>
      {asked.length > 1 && (
        <Button
          variant="subtle"
          size="sm"
          px={8}
          ml={-8}
          onClick={() => setAsked(asked.slice(0, -1))}
          leftSection={<Icon name="left" size={18} />}
        >
          Voltar
        </Button>
      )}
      <Async of={chain} skeleton={<Skeletons count={3} height={44} />} failure="Erro ao buscar a origem">
        {({ pergunta, elos }) => (
          <>
            <h3 className={classes.question}>{pergunta}</h3>
            <ol className={classes.links}>
              {elos.map((link) => (
                <li key={`${link.de} ${link.titulo} ${link.quando} ${link.texto}`} className={classes.link}>
                  <Target
                    link={link}
                    onAsk={
                      link.de !== null && link.de !== de ? () => setAsked([...asked, link.de!]) : undefined
                    }
                    isHere={link.de === de}
                  >
                    <Told link={link} />
                  </Target>
                </li>
              ))}
            </ol>
          </>
        )}
      </Async>
    </section>
  );
}

interface TargetProps {
  link: WhyLink;
  onAsk: (() => void) | undefined;
  /** The link is about what was asked for, so it leads nowhere else. */
  isHere: boolean;
  children: ReactNode;
}

function Target({ link: { para }, onAsk, isHere, children }: TargetProps) {
  if (para !== null && !isHere)
    return (
      <Link to={para} className={classes.target}>
        {children}
        <Icon name="right" size={18} />
      </Link>
    );
  if (!onAsk) return <div className={classes.target}>{children}</div>;
  return (
    <button type="button" onClick={onAsk} className={classes.target}>
      {children}
      <Icon name="right" size={18} />
    </button>
  );
}

function Told({ link: { titulo, texto, clausula, quando, quem, dispositivo } }: { link: WhyLink }) {
  const zone = useZone();
  return (
    <span className={classes.told}>
      <span className={classes.kind}>{titulo}</span>
      <span>{texto}</span>
      {clausula && <q className={classes.clause}>{clausula}</q>}
      {quando && (
        <span className={classes.when}>
          {quem} ·{' '}
          <time dateTime={quando} title={formatLongDay(dayOf(quando, zone))}>
            {formatMoment(quando, zone)}
          </time>
          {dispositivo && ` · ${dispositivo}`}
        </span>
      )}
    </span>
  );
}
