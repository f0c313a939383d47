// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Jobs} from "./Jobs.sol";

/// @notice No hooks, no optional bytes, and a job without a field for a hook.
contract DialectA is Jobs {
    struct Job {
        uint256 id;
        address client;
        address provider;
        address evaluator;
        string description;
        uint256 budget;
        uint256 expiredAt;
        JobStatus status;
    }

    mapping(uint256 => Job) internal jobs;

    event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt);
    event BudgetSet(uint256 indexed jobId, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);

    function createJob(address provider, address evaluator, uint256 expiredAt, string calldata description) external {
        last++;
        jobs[last] = Job(last, msg.sender, provider, evaluator, description, 0, expiredAt, JobStatus.Open);
        emit JobCreated(last, msg.sender, provider, evaluator, expiredAt);
    }

    function setProvider(uint256 jobId, address provider) external {
        jobs[jobId].provider = provider;
    }

    function setBudget(uint256 jobId, uint256 amount) external {
        jobs[jobId].budget = amount;
        emit BudgetSet(jobId, amount);
    }

    function fund(uint256 jobId, uint256 expectedBudget) external {
        jobs[jobId].status = JobStatus.Funded;
        emit JobFunded(jobId, jobs[jobId].client, expectedBudget);
    }

    function submit(uint256 jobId, bytes32 deliverable) external {
        jobs[jobId].status = JobStatus.Submitted;
        emit JobSubmitted(jobId, jobs[jobId].provider, deliverable);
    }

    function complete(uint256 jobId, bytes32) external {
        jobs[jobId].status = JobStatus.Completed;
        emit PaymentReleased(jobId, jobs[jobId].provider, jobs[jobId].budget);
    }

    function reject(uint256 jobId, bytes32) external {
        jobs[jobId].status = JobStatus.Rejected;
        emit Refunded(jobId, jobs[jobId].client, jobs[jobId].budget);
    }

    function claimRefund(uint256 jobId) external {
        jobs[jobId].status = JobStatus.Expired;
        emit Refunded(jobId, jobs[jobId].client, jobs[jobId].budget);
    }

    function getJob(uint256 jobId) external view returns (Job memory) {
        return jobs[jobId];
    }
}
