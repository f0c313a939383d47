import { isObject } from '../../../src/domain/json.ts'

export type Watch = {
  /** Receives a call of a port and how to make it, and returns its result. */
  call(of: { port: string; args: unknown[] }, make: (args: unknown[]) => unknown): unknown
  /** Receives a value of a port, such as the id of the model, and returns the value to use. */
  value(port: string, value: unknown): unknown
}

/** Wraps all functions of the ports, also those of the models in them. */
export const watchPorts = <T extends object>(ports: T, watch: Watch, path = ''): T =>
  new Proxy(ports, {
    get(target, name, receiver) {
      const it: unknown = Reflect.get(target, name, receiver)
      const port = `${path}${String(name)}`
      if (typeof it === 'function')
        return (...args: unknown[]) => watch.call({ port, args }, given => Reflect.apply(it, target, given))
      return isObject(it) ? watchPorts(it, watch, `${port}.`) : watch.value(port, it)
    },
  })
