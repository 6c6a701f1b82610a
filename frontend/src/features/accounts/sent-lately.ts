import { toast } from '../../ui/toast.js';

/** No other mail leaves for now. The newest one's code and link are valid until another may leave. */
export const sentLately = (): void => {
  toast.info('Já enviamos um e-mail há pouco', { description: 'Use o link ou o código do mais recente.' });
};
