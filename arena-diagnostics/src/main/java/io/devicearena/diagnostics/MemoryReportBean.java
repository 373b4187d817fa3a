package io.devicearena.diagnostics;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** The MBean; the only class that needs the module java.management. Threads: safe for any thread. */
final class MemoryReportBean implements MemoryReportMXBean {
    private MemoryReportBean() {}

    static void register() {
        try {
            server().registerMBean(new StandardMBean(new MemoryReportBean(), MemoryReportMXBean.class, true), name());
        } catch (InstanceAlreadyExistsException e) {
            // it reports the same arenas, or those of the class loader that was first
        } catch (JMException e) {
            throw new IllegalStateException("the MBean " + MemoryReport.MBEAN_NAME + " cannot be registered", e);
        }
    }

    static void unregister() {
        try {
            server().unregisterMBean(name());
        } catch (InstanceNotFoundException e) {
            // there is nothing to remove
        } catch (JMException e) {
            throw new IllegalStateException("the MBean " + MemoryReport.MBEAN_NAME + " cannot be removed", e);
        }
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    private static ObjectName name() throws JMException {
        return new ObjectName(MemoryReport.MBEAN_NAME);
    }

    @Override
    public int getArenaCount() {
        return MemoryReport.now().arenas().size();
    }

    @Override
    public long getArenaBytes() {
        return MemoryReport.now().arenaBytes();
    }

    @Override
    public long getShadowBytes() {
        return MemoryReport.now().shadowBytes();
    }

    @Override
    public long getStagingBytes() {
        return MemoryReport.now().stagingBytes();
    }

    @Override
    public List<String> getTable() {
        return MemoryReport.now().table();
    }
}
