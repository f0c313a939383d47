/** A port call, with its result once there is one. */
export type Call = { name: string; args: unknown[]; result: unknown }

/** Called when a call begins. The returned function is called with the result, before the caller gets it. */
export type Tap = (name: string, args: unknown[]) => (call: Call) => void | Promise<void>

/** Wraps each function of a port with a tap. */
export const tapped = <T extends object>(port: T, tap: Tap): T =>
  new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || typeof name !== 'string') return member
      return (...args: unknown[]) => {
        const end = tap(name, args)
        const result: unknown = member(...args)
        if (!(result instanceof Promise)) {
          void end({ name, args, result })
          return result
        }
        return result.then(
          async (value: unknown) => {
            await end({ name, args, result: value })
            return value
          },
          async (error: unknown) => {
            await end({ name, args, result: undefined })
            throw error
          },
        )
      }
    },
  })
