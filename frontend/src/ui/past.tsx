import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { whenReachable } from '../lib/chunks.js';
import { type Day, type Moment, writtenMoment } from '../lib/dates.js';
import { messageOf, ProblemError } from '../lib/problem.js';
import { ASK_PAST } from './ask-past.js';
import { Card } from './card.js';
import { Icon } from './icon.js';
import { Notice } from './notice.js';
import classes from './past.module.css';
import { Sheet } from './sheet.js';
import { Skeletons } from './states.js';

const MomentForm = lazy(() => whenReachable(() => import('./moment-form.js')));

interface PastProps {
  /** What is shown, at the beginning of a sentence: `Novembro`. */
  what: string;
  moment: Moment | null;
  zone: string;
  today: Day;
  /** Whether the sheet that chooses the moment is open. */
  isAsking: boolean;
  onAsk: (is: boolean) => void;
  /** `em` of the address; null for now. */
  onChoose: (em: string | null) => void;
}

/** Says of a sheet that it shows a past moment. */
export const AsItWas = ({ moment }: { moment: Moment }) => (
  <div className={classes.past}>
    <Icon name="clock" size={20} />
    <p>Como estava em {writtenMoment(moment)}</p>
  </div>
);

/** Of a page as it was, says so and leads back to today; with the sheet that chooses the moment. */
export function Past({ what, moment, zone, today, isAsking, onAsk, onChoose }: PastProps) {
  return (
    <>
      {moment && (
        <div className={classes.past} role="status">
          <Icon name="clock" size={20} />
          <p>
            {what} como estava em {writtenMoment(moment)}
          </p>
          <div className={classes.actions}>
            <Button size="sm" variant="default" onClick={() => onAsk(true)}>
              Outro momento
            </Button>
            <Button size="sm" onClick={() => onChoose(null)}>
              Voltar para hoje
            </Button>
          </div>
        </div>
      )}
      <Sheet opened={isAsking} onClose={() => onAsk(false)} title={ASK_PAST} beginsAtField="typed">
        {isAsking && (
          <Suspense fallback={<Skeletons count={2} height={72} />}>
            <MomentForm
              moment={moment}
              zone={zone}
              today={today}
              onBack={() => onAsk(false)}
              onChoose={onChoose}
            />
          </Suspense>
        )}
      </Sheet>
    </>
  );
}

/** Whether the moment is to come, or before the account. */
export const isBeyond = (error: unknown) => error instanceof ProblemError && error.code.startsWith('past.');

/** Says so. */
export const Beyond = ({ error }: { error: unknown }) => (
  <Card>
    <Notice icon="clock" title={messageOf(error)} />
  </Card>
);
